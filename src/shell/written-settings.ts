import { emitOpaque, runShellText } from "./emit.ts";
import type { Session } from "./session.ts";
import { literal } from "./value.ts";

interface Setting {
  /** Programs that read such files by themselves. */
  readonly programs: RegExp;
  readonly files: RegExp;
  /** Content with which the file runs something; without it, any does. */
  readonly runs?: RegExp;
  /** Each match is shell text. */
  readonly commands?: RegExp;
}

/** Files beside the code that say what a program runs. */
const SETTINGS: readonly Setting[] = [
  { programs: /^just$/, files: /\/\.?justfile$/i },
  { programs: /^(?:task|go-task)$/, files: /\/Taskfile(?:\.dist)?\.ya?ml$/i },
  { programs: /^cargo$/, files: /\/(?:build\.rs|\.cargo\/config(?:\.toml)?)$/ },
  {
    programs: /^(?:np[mx]|pnpm|yarn|bunx?)$/,
    files: /\/\.(?:npmrc|yarnrc(?:\.yml)?|pnpmfile\.cjs)$/,
    runs: /^\s*(?:script-shell|shell|node-options|git|editor|viewer|node-gyp|yarnPath|plugins|globalconfig|userconfig|onload-script|init-module)\b/im,
  },
  {
    programs: /^(?:tox|nox)$/,
    files: /\/(?:tox\.ini|setup\.cfg|pyproject\.toml)$/,
    runs: /\bcommands\w*\s*=/,
  },
  { programs: /^gradlew?$/, files: /\.gradle(?:\.kts)?$/ },
  { programs: /^mvnw?$/, files: /\/pom\.xml$/, runs: /<(?:plugin|extension)\b/ },
  {
    programs: /^ant$/,
    files: /\.xml$/,
    runs: /<(?:exec|java|script|apply|get|import|copy|concat|loadfile)\b/i,
  },
  { programs: /^ninja$/, files: /\/build\.ninja$/, commands: /^\s*command\s*=\s*(.*)$/gm },
  {
    programs: /^(?:cmake|ctest|cpack)$/,
    files: /\/CMakeLists\.txt$|\.cmake$/,
    runs: /execute_process|add_custom|ExternalProject|FetchContent|\bfile\s*\(|\binclude\s*\(|try_run|cmake_language|exec_program|configure_file|load_cache|ctest_/i,
  },
  {
    programs: /^meson$/,
    files: /\/meson\.build$/,
    runs: /run_command|custom_target|run_target|find_program|generator/,
  },
  { programs: /^pre-commit$/, files: /\/\.pre-commit-config\.ya?ml$/ },
  { programs: /^nodemon$/, files: /\/nodemon\.json$/ },
  { programs: /^bazel(?:isk)?$/, files: /\/(?:BUILD|WORKSPACE|\.bazelrc)(?:\.bazel)?$/ },
];

/** Settings that the text wrote and that a program it then starts obeys. */
export function obeyWritten(session: Session, name: string): void {
  for (const { programs, files, runs, commands } of SETTINGS) {
    if (!programs.test(name)) continue;
    for (const [path, content] of [...session.scope.written]) {
      if (!files.test(path)) continue;
      const text = content ?? session.notes.appended.get(path);
      if (commands !== undefined && text !== undefined) {
        for (const match of text.matchAll(commands))
          runShellText(
            session,
            name,
            literal((match[1] ?? "").replace(/\$(?:in|out|\w+|\{\w+\})/g, "x")),
            "a command",
          );
      } else if (text === undefined || runs === undefined || runs.test(text))
        emitOpaque(session, name, "code", "a file that the command wrote");
    }
  }
}
