"""What a run must not reach: another program of the same user, with sockets, shared memory, a terminal and secrets of its own.

neighbour.py FOLDER listens in FOLDER and on loopback, prints one line of NAME=VALUE words that say where, and leaves a
file FOLDER/hit.KIND for each visitor. It serves until it is killed, for two minutes at the most.
"""

import array
import ctypes
import os
import select
import signal
import socket
import sys

IPC_CREAT = 0o1000
IPC_RMID = 0
PATIENCE = 120

libc = ctypes.CDLL(None, use_errno=True)
libc.shmat.restype = ctypes.c_void_p


def listen(family, kind, address):
    made = socket.socket(family, kind)
    made.bind(address)
    if kind == socket.SOCK_STREAM:
        made.listen(64)
    if isinstance(address, str) and address.startswith("/"):
        os.chmod(address, 0o777)
    return made


def shared_memory():
    key = (os.getpid() & 0x7FFFFFFF) | 0x40000000
    segment = libc.shmget(key, 4096, IPC_CREAT | 0o666)
    ctypes.memmove(libc.shmat(segment, None, 0), b"FAKE-SECRET-shm\0", 16)
    return key, segment


def greet(visitor, kind, folder):
    """Gives a visitor a secret; by a unix socket also a descriptor of a secret file."""
    try:
        if kind in ("unix", "abstract"):
            with open(f"{folder}/secret.txt", "rb") as secret:
                rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [secret.fileno()]))]
                visitor.sendmsg([b"FAKE-SECRET-sock\n"], rights)
        else:
            visitor.sendall(b"FAKE-SECRET-sock\n")
    except OSError:
        pass
    finally:
        visitor.close()


def serve(folder, sockets, fifo):
    while True:
        ready, _, _ = select.select([*sockets, fifo], [], [], PATIENCE)
        if not ready:
            return
        for one in ready:
            kind = "fifo" if one == fifo else sockets[one]
            with open(f"{folder}/hit.{kind}", "ab") as hit:
                if one == fifo:
                    hit.write(os.read(fifo, 4096))
                elif one.type == socket.SOCK_DGRAM:
                    hit.write(one.recv(4096))
                else:
                    hit.write(b"1")
                    greet(one.accept()[0], kind, folder)


def main():
    folder = sys.argv[1]
    abstract = f"paldron-neighbour-{os.getpid()}"
    tcp = listen(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 0))
    udp = listen(socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 0))
    sockets = {
        tcp: "tcp",
        udp: "udp",
        listen(socket.AF_UNIX, socket.SOCK_STREAM, f"{folder}/neighbour.sock"): "unix",
        listen(socket.AF_UNIX, socket.SOCK_DGRAM, f"{folder}/neighbour.dgram"): "dgram",
        listen(socket.AF_UNIX, socket.SOCK_STREAM, f"\0{abstract}"): "abstract",
    }
    os.mkfifo(f"{folder}/neighbour.fifo")
    os.chmod(f"{folder}/neighbour.fifo", 0o666)
    fifo = os.open(f"{folder}/neighbour.fifo", os.O_RDWR | os.O_NONBLOCK)
    # Another terminal of the same user.
    terminal = os.openpty()
    key, segment = shared_memory()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    memory = ctypes.create_string_buffer(b"FAKE-SECRET-mem")
    told = {
        "TCP_PORT": tcp.getsockname()[1],
        "UDP_PORT": udp.getsockname()[1],
        "ABS_SOCK": abstract,
        "SHM_KEY": key,
        "SHM_ID": segment,
        "VICTIM_PID": os.getpid(),
        "VICTIM_ADDR": ctypes.addressof(memory),
    }
    print(*(f"{name}={value}" for name, value in told.items()), flush=True)
    try:
        serve(folder, sockets, fifo)
    finally:
        os.close(terminal[0])
        libc.shmctl(segment, IPC_RMID, None)


main()
