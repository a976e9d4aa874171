const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** What is known of a language's names, for the reader of programs. */
export interface Vocabulary {
  /** Names that lead to whatever code, wherever they stand. */
  readonly forbidden: ReadonlySet<string>;
  /** The same where they are no member of something else. */
  readonly forbiddenAlone: ReadonlySet<string>;
  /** Modules that run, load or fetch what cannot be told. */
  readonly modules: ReadonlySet<string>;
  /** Modules that connect to whatever a URL names. */
  readonly clients: ReadonlySet<string>;
  /** Modules of which only some members are harmless. */
  readonly members: Readonly<Record<string, ReadonlySet<string>>>;
  /** Functions whose first argument is run: a text for a shell, or a list of words. */
  readonly runs: ReadonlySet<string>;
  /** Functions that open or change the file that their first argument names. */
  readonly reads: ReadonlySet<string>;
  readonly writes: ReadonlySet<string>;
  /** What makes names that stand nowhere in the program out of numbers and codes. */
  readonly sources: ReadonlySet<string>;
  /** Functions that name what lies in a folder, or below it. */
  readonly lists: ReadonlySet<string>;
  /** Functions that connect to what their first argument names. */
  readonly connects: ReadonlySet<string>;
}

export const PYTHON_WORDS: Vocabulary = {
  forbidden: words(`
    __import__ __builtins__ __globals__ __subclasses__ __loader__ __spec__ __code__ __closure__ __getattribute__ __bases__
    __base__ __mro__ mro load_module exec_module find_spec get_data settrace setprofile attrgetter methodcaller
    FunctionType CodeType remote_exec _getframe f_globals f_locals f_builtins f_back gi_frame tb_frame cr_frame ag_frame
    create_subprocess_exec create_subprocess_shell subprocess_exec subprocess_shell open_connection create_connection
    create_unix_connection load_dotenv dotenv_values load_extension make_archive`),
  forbiddenAlone: words("exec eval compile globals locals breakpoint help __dict__"),
  modules: words(`
    ctypes cffi runpy code codeop pdb bdb pty ftplib smtplib imaplib poplib nntplib telnetlib xmlrpc marshal builtins imp
    zipimport webbrowser posix nt _io _posixsubprocess popen2 dotenv decouple paramiko fabric pexpect ptyprocess sh plumbum invoke boto3 botocore selenium playwright pycurl scapy docker
    keyring ensurepip pip antigravity`),
  clients: words("requests httpx aiohttp urllib3 websocket websockets"),
  members: {
    os: words(`
      path getcwd sep linesep name environ getenv listdir makedirs mkdir remove unlink rmdir removedirs rename renames
      replace stat lstat walk fwalk scandir getpid getppid cpu_count urandom pathsep curdir pardir extsep altsep utime
      chmod access R_OK W_OK X_OK F_OK fspath fsencode fsdecode PathLike DirEntry error isatty get_terminal_size strerror
      times umask close devnull truncate sync open O_RDONLY O_WRONLY O_RDWR O_CREAT O_EXCL O_TRUNC O_APPEND read write
      fsync kill killpg getpgid setpgid setsid getpgrp wait waitpid waitstatus_to_exitcode WNOHANG WIFEXITED WEXITSTATUS
      getuid geteuid getgid getegid getgroups getlogin getloadavg uname sched_getaffinity process_cpu_count nice statvfs
      system popen symlink link readlink chdir fchmod ftruncate fdopen lseek pipe dup dup2 mkfifo get_blocking set_blocking
      SEEK_SET SEEK_CUR SEEK_END O_CLOEXEC O_NONBLOCK sched_yield memfd_create register_at_fork get_inheritable`),
    sys: words(`
      argv exit path stdout stderr stdin version version_info platform maxsize executable getsizeof getrecursionlimit
      setrecursionlimit byteorder float_info int_info flags implementation getdefaultencoding exc_info maxunicode hexversion
      prefix base_prefix exec_prefix intern getrefcount orig_argv excepthook displayhook getfilesystemencoding hash_info
      set_int_max_str_digits get_int_max_str_digits is_finalizing __stdout__ __stderr__ getswitchinterval tracebacklimit dont_write_bytecode stdlib_module_names builtin_module_names ps1 warnoptions`),
    subprocess: words(`
      run call check_call check_output Popen getoutput getstatusoutput PIPE DEVNULL STDOUT CompletedProcess
      CalledProcessError TimeoutExpired SubprocessError`),
    shutil: words(`
      copy copyfile copy2 copytree move rmtree which get_terminal_size disk_usage copymode copystat copyfileobj Error
      SameFileError ignore_patterns`),
    io: words("StringIO BytesIO TextIOWrapper IOBase RawIOBase BufferedReader open SEEK_SET SEEK_END"),
    codecs: words("open encode lookup BOM_UTF8 getreader getwriter"),
    urllib: words("parse request error"),
    http: words("HTTPStatus client server cookies cookiejar"),
    importlib: words("import_module metadata resources reload invalidate_caches"),
    logging: words(`
      basicConfig getLogger DEBUG INFO WARNING WARN ERROR CRITICAL debug info warning error exception critical log Logger
      Handler StreamHandler FileHandler Formatter NullHandler Filter LogRecord disable captureWarnings NOTSET handlers`),
  },
  runs: words("system popen run call check_call check_output Popen getoutput getstatusoutput"),
  reads: words(
    "open copy copyfile copy2 copytree move connect symlink link rename replace renames FileInput",
  ),
  writes: words("remove unlink rmdir removedirs makedirs mkdir rmtree chmod truncate FileHandler"),
  sources: words("chr fromhex unhexlify b64decode b32decode b85decode a85decode maketrans"),
  lists: words("listdir scandir walk fwalk iterdir glob rglob iglob"),
  connects: words("urlopen urlretrieve HTTPConnection HTTPSConnection"),
};

export const JS_WORDS: Vocabulary = {
  forbidden: words(`
    eval Function WebAssembly dlopen binding mainModule _load _extensions _resolveFilename _linkedBinding createRequire
    getBuiltinModule prepareStackTrace __proto__ callee caller Reflect setEngine importScripts runInThisContext
    runInNewContext runInContext compileFunction SharedWorker AsyncFunction GeneratorFunction XMLHttpRequest WebSocket
    EventSource sendBeacon getOwnPropertyDescriptor getOwnPropertyDescriptors __defineGetter__ __lookupGetter__`),
  forbiddenAlone: words("Bun"),
  modules: words(`
    vm module repl inspector dgram dns dns/promises tls http2 cluster wasi trace_events inspector/promises puppeteer playwright shelljs execa zx cross-spawn dotenv dotenv/config vm2
    esbuild-register ssh2 node-pty node-cmd`),
  clients: words("axios node-fetch undici got superagent request needle phin bent ky ws"),
  members: {
    process: words(`
      argv env exit exitCode stdout stderr stdin cwd platform version versions arch pid ppid memoryUsage hrtime nextTick on
      once off removeListener removeAllListeners emitWarning uptime cpuUsage execPath execArgv title kill umask release
      features argv0 abort getuid geteuid emit listenerCount`),
    Deno: words("test exit args cwd version build errors"),
  },
  runs: words("exec execSync execFile execFileSync spawn spawnSync fork"),
  reads: words(`
    readFile readFileSync createReadStream open openSync copyFile copyFileSync cp cpSync link linkSync symlink symlinkSync
    rename renameSync openAsBlob readTextFile readTextFileSync DatabaseSync Database`),
  writes: words(`
    writeFile writeFileSync appendFile appendFileSync createWriteStream rm rmSync unlink unlinkSync rmdir rmdirSync mkdir
    mkdirSync chmod chmodSync truncate truncateSync writeTextFile writeTextFileSync`),
  sources: words("fromCharCode fromCodePoint atob unescape"),
  lists: words("readdir readdirSync opendir opendirSync glob globSync readDir readDirSync"),
  connects: words("fetch request get connect createConnection"),
};
