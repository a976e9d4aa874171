const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** What is known of a language's names, for the reader of programs. */
export interface Vocabulary {
  /** Names that lead to whatever code, wherever they stand. */
  readonly forbidden: ReadonlySet<string>;
  /** The same where they are no member of something else. */
  readonly forbiddenAlone: ReadonlySet<string>;
  /** Modules that run, load or fetch what cannot be told. */
  readonly modules: ReadonlySet<string>;
  /** Modules of which only some members are harmless. */
  readonly members: Readonly<Record<string, ReadonlySet<string>>>;
  /** Functions whose first argument is run: a text for a shell, or a list of words. */
  readonly runs: ReadonlySet<string>;
  /** Functions that open or change the file that their first argument names. */
  readonly reads: ReadonlySet<string>;
  readonly writes: ReadonlySet<string>;
  /** Where names can come from that stand nowhere in the program. */
  readonly sources: ReadonlySet<string>;
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
  forbiddenAlone: words("exec eval compile globals locals vars breakpoint help __dict__"),
  modules: words(`
    ctypes cffi importlib runpy code codeop pdb bdb pty socket ssl socketserver ftplib smtplib imaplib poplib nntplib
    telnetlib xmlrpc marshal pickle shelve dill joblib cloudpickle builtins gc inspect types imp zipimport pkgutil site
    webbrowser fileinput linecache tokenize posix nt _io _posixsubprocess _thread commands popen2 dotenv decouple requests
    httpx aiohttp urllib3 websocket websockets paramiko fabric pexpect ptyprocess sh plumbum invoke boto3 botocore selenium
    playwright pycurl scapy zmq docker psutil keyring profile cProfile trace timeit doctest idlelib ensurepip venv pip
    setuptools distutils antigravity cgitb`),
  members: {
    os: words(`
      path getcwd sep linesep name environ getenv listdir makedirs mkdir remove unlink rmdir removedirs rename renames
      replace stat lstat walk fwalk scandir getpid getppid cpu_count urandom pathsep curdir pardir extsep altsep utime
      chmod access R_OK W_OK X_OK F_OK fspath fsencode fsdecode PathLike DirEntry error isatty get_terminal_size strerror
      times umask close devnull truncate sync open O_RDONLY O_WRONLY O_RDWR O_CREAT O_EXCL O_TRUNC O_APPEND read write
      fsync kill waitpid WNOHANG getuid geteuid uname sched_getaffinity system popen symlink link readlink`),
    sys: words(`
      argv exit path stdout stderr stdin version version_info platform maxsize executable getsizeof getrecursionlimit
      setrecursionlimit byteorder float_info int_info flags implementation getdefaultencoding exc_info maxunicode hexversion
      prefix base_prefix intern getrefcount dont_write_bytecode stdlib_module_names builtin_module_names ps1 warnoptions`),
    subprocess: words(`
      run call check_call check_output Popen getoutput getstatusoutput PIPE DEVNULL STDOUT CompletedProcess
      CalledProcessError TimeoutExpired SubprocessError`),
    shutil: words(`
      copy copyfile copy2 copytree move rmtree which get_terminal_size disk_usage copymode copystat copyfileobj Error
      SameFileError ignore_patterns`),
    io: words("StringIO BytesIO TextIOWrapper IOBase RawIOBase BufferedReader open SEEK_SET SEEK_END"),
    codecs: words("open encode lookup BOM_UTF8 getreader getwriter"),
    urllib: words("parse"),
    http: words("HTTPStatus"),
    logging: words(`
      basicConfig getLogger DEBUG INFO WARNING WARN ERROR CRITICAL debug info warning error exception critical log Logger
      Handler StreamHandler FileHandler Formatter NullHandler Filter LogRecord disable captureWarnings NOTSET handlers`),
  },
  runs: words("system popen run call check_call check_output Popen getoutput getstatusoutput"),
  reads: words(
    "open copy copyfile copy2 copytree move connect symlink link rename replace renames FileInput",
  ),
  writes: words("remove unlink rmdir removedirs makedirs mkdir rmtree chmod truncate FileHandler"),
  sources: words(`
    listdir scandir walk fwalk iterdir glob rglob iglob chr bytes bytearray fromhex decode unhexlify b64decode b32decode
    b85decode a85decode input stdin reversed translate maketrans rot13 fsdecode decompress from_bytes`),
  connects: words("urlopen urlretrieve"),
};

export const JS_WORDS: Vocabulary = {
  forbidden: words(`
    eval Function WebAssembly Worker dlopen binding mainModule _load _extensions _resolveFilename _linkedBinding createRequire
    getBuiltinModule prepareStackTrace __proto__ callee caller Reflect setEngine importScripts runInThisContext
    runInNewContext runInContext compileFunction SharedWorker AsyncFunction GeneratorFunction XMLHttpRequest WebSocket
    EventSource sendBeacon getOwnPropertyDescriptor getOwnPropertyDescriptors __defineGetter__ __lookupGetter__`),
  forbiddenAlone: words("Bun"),
  modules: words(`
    vm module worker_threads repl inspector dgram dns dns/promises tls http2 v8 cluster wasi process trace_events
    inspector/promises axios node-fetch undici got superagent request ws puppeteer playwright shelljs execa zx cross-spawn
    dotenv dotenv/config vm2 esbuild-register needle phin ssh2 node-pty node-cmd bent ky`),
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
  sources: words(`
    readdir readdirSync opendir opendirSync glob globSync fromCharCode fromCodePoint atob stdin reverse toReversed
    unescape decodeURIComponent decodeURI TextDecoder inflateSync gunzipSync readDir readDirSync readline`),
  connects: words("fetch request get connect createConnection"),
};
