/** `ln -s TARGET NAME` alone: with more operands, or an option that carries a folder, nothing is rewritten. */
const SYMBOLIC = /^(?:-[a-zA-Z]*s[a-zA-Z]*|--symbolic)$/;
const CARRIES = /^(?:-[tS].*|-\w*t|--target-directory.*|--suffix.*)$/;

/**
 * The text of a symbolic link is read from the folder that the link lies in: `ln -s ../f sub/f` names `f`. Gives the
 * arguments with the target as it is seen from the working folder. Where NAME is itself a folder the link lies one
 * level deeper, so what is judged never reaches less far than the link.
 */
export function seenFromHere(program: string, args: readonly string[]): readonly string[] {
  if (program !== "ln" || !args.some((arg) => SYMBOLIC.test(arg)) || args.some((arg) => CARRIES.test(arg))) {
    return args;
  }
  const operands = args.filter((arg) => !arg.startsWith("-"));
  const [target = "", name = ""] = operands;
  const folder = name.slice(0, name.lastIndexOf("/") + 1);
  if (operands.length !== 2 || folder === "" || /^[/~$]/.test(target)) return args;
  return args.with(args.indexOf(target), `${folder}${target}`);
}
