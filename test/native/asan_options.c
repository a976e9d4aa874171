/* Options of the sanitizers, for a program that is started with an empty environment. Looking for
 * leaks needs ptrace of the own process, which the supervisor has given up. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "detect_leaks=0:abort_on_error=1";
}
