/** errno(3), the same on x86_64 and aarch64. */
const EPERM = 1;
const EACCES = 13;
const EBUSY = 16;
const EINVAL = 22;

/** Why there can be no broker, by what its canary met. */
export function brokerCause(errno: number): { readonly cause: string; readonly remedy: string } {
  switch (errno) {
    case EBUSY:
      return {
        cause: "a program around paldron already listens to its system calls (seccomp allows one listener)",
        remedy: "start paldron outside of that program",
      };
    case EINVAL:
      return {
        cause: "the kernel is older than 5.19",
        remedy: "Linux 5.19 or newer, or a setting with namespaces",
      };
    case EPERM:
    case EACCES:
      return {
        cause:
          "the memory of child processes may not be read (kernel.yama.ptrace_scope is 2 or 3, or a profile)",
        remedy: "sysctl -w kernel.yama.ptrace_scope=1 (to keep it: a file in /etc/sysctl.d)",
      };
    default:
      return {
        cause: "system calls are not handed over as they should be",
        remedy: "a setting with namespaces",
      };
  }
}
