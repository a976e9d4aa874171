import type { CommandSpec } from "../spec.ts";

const NET: CommandSpec = { operands: "name", always: "net" };
const ELSEWHERE: CommandSpec = { operands: "name", always: "elsewhere" };

const named = (names: string, spec: CommandSpec): Readonly<Record<string, CommandSpec>> =>
  Object.fromEntries(names.split(" ").map((name) => [name, spec]));

const MAIL: CommandSpec = {
  options:
    "-s:data -a:read -A:read -r:data -c:data -b:data -S:data -e:opaque -F:load -i:read -H:read -f:both",
  operands: "data",
  always: "net",
};

/** A packet capture: it reads the network, and `-z` starts a program for each file. */
const CAPTURE: CommandSpec = {
  options:
    "-z:program -w:write -r:read -F:read -V:read -i:data -c:data -C:data -G:data -W:data -s:data -y:data -Z:data -B:data -D -L -n -nn -q -v -vv -x -X -A -e -t -l -U -p -S -X:config -T:data -Y:data -o:data -e:data -d:data -f:data -a:data -b:data",
  operands: "data",
  always: "net",
};

const DEBUGGED: CommandSpec = {
  options: "-f:read -F:read -U:data -o:write -r:write -h:data -p:data",
  operands: "data",
};

/** Programs that open connections, and those that have a daemon, another host or a later time do the work. */
export const REMOTE: Readonly<Record<string, CommandSpec>> = {
  ...named(
    "http https httpie xh curlie wget2 axel lynx links links2 w3m elinks rlogin rexec tftp ncftp ncftpget ncftpput " +
      "ssh-copy-id ssh-keyscan autossh smbclient smbget irssi weechat swaks hping3 mtr tracepath arping fping masscan " +
      "httping iperf iperf3 ab wrk hey siege vegeta grpcurl websocat wscat localtunnel lt ngrok cloudflared bore " +
      "tailscale wg zerotier-cli snmpget snmpwalk ldapsearch nfsstat showmount rpcinfo kinit rclone s3cmd s5cmd gsutil " +
      "mc b2 restic heroku flyctl fly vercel netlify firebase wrangler serverless sls surge railway doctl linode-cli " +
      "hcloud oci aliyun ibmcloud eksctl kops copilot supabase twine cpan cpanm easy_install luarocks " +
      "mosquitto_pub mosquitto_sub amqp-publish kcat kafkacat nats youtube-dl yt-dlp gallery-dl transmission-cli aws-vault " +
      "influx cqlsh cypher-shell pulumi packer ntpdate rdate finger resolvectl " +
      "systemd-resolve delv hcitool avahi-browse avahi-resolve zdig kdig dog doggo",
    NET,
  ),
  ...named("mailx mutt neomutt msmtp ssmtp nail s-nail", MAIL),
  ...named("tcpdump tshark dumpcap wireshark ngrep tcpflow", CAPTURE),
  ...named("mysqladmin mysqlimport mysqlsh", { ...DEBUGGED, always: "net" }),
  ...named("mysqldump pg_dump pg_dumpall pg_restore", DEBUGGED),
  ...named("mycli pgcli litecli usql sqlcmd sqlplus isql osql iusql clickhouse-client clickhouse duckdb", {
    options:
      "-e:code -c:code -q:code -Q:code -cmd:code -f:load -i:load -init:load --query:code --command:code --execute:code",
    operands: "both code",
    language: "sql",
    input: "code",
  }),
  mongo: {
    options: "--eval:code --quiet --norc --host:data --port:data",
    operands: "load",
    language: "js",
    input: "code",
  },
  rsh: { operands: "net unit", always: "net" },
  getent: {
    operands: "data",
    commands: Object.fromEntries([
      ...["hosts", "ahosts", "ahostsv4", "ahostsv6", "networks"].map((name) => [
        name,
        { operands: "net", always: "net" },
      ]),
      ["*", { operands: "data" }],
    ]),
  },
  ...named(
    "wall write mesg sendmail-mta emacsclient gvimserver code-insiders codium vscodium windsurf zed subl atom idea pycharm " +
      "webstorm goland antigravity opencode aider qwen amp droid crush goose cline " +
      "kubectl oc helm helmfile k3s k9s stern argocd flux istioctl minikube kind k3d microk8s " +
      "docker-compose podman-compose docker-machine buildah skopeo ctr crictl runc crun youki lxc lxc-attach lxc-execute " +
      "lxc-start incus lxd machinectl multipass virsh virt-install virt-manager VBoxManage vmrun limactl lima colima nerdctl " +
      "systemd-nspawn systemd-socket-activate loginctl hostnamectl timedatectl localectl networkctl " +
      "bootctl coredumpctl portablectl userdbctl homectl anacron fcron fcrontab incrond incrontab cron crond atd runit sv svc svscan " +
      "runsv runsvdir supervisord supervisorctl s6-svscan s6-svc monit initctl rc-service rc-update chkconfig update-rc.d insserv " +
      "daemon daemonize pm2 forever sbatch srun salloc qsub bsub msub pdsh pssh parallel-ssh clush dsh cssh rundeck " +
      "puppet chef-client chef-solo knife salt salt-call salt-ssh ansible-pull ansible-console ansible-galaxy " +
      "ansible-inventory ansible-test consul nomad vault boundary teleport tsh gitlab-runner circleci act earthly dagger " +
      "skaffold tilt garden devspace telepresence byobu zellij abduco dtach tmate ttyd gotty wetty shellinabox " +
      "flatpak flatpak-spawn snap distrobox toolbox apptainer singularity udocker x-www-browser sensible-browser firefox " +
      "chromium chromium-browser google-chrome google-chrome-stable brave-browser microsoft-edge exo-open kde-open kde-open5 " +
      "gnome-terminal konsole xterm uxterm rxvt urxvt alacritty kitty wezterm foot terminator tilix st x-terminal-emulator " +
      "xdotool ydotool wtype notify-send dbus-monitor dbus-update-activation-environment pactl pw-cli nmcli " +
      "bluetoothctl udevadm udisksctl fwupdmgr reboot shutdown poweroff halt init telinit insmod modprobe rmmod kexec swapon " +
      "swapoff mkswap mkfs mkfs.ext4 fdisk parted losetup cryptsetup dmsetup lvm mdadm iptables ip6tables nft ufw firewall-cmd " +
      "sysctl useradd userdel usermod groupadd passwd chpasswd chsh chfn visudo vipw vigr newgrp gpasswd " +
      "pivot_root mount umount fusermount chcon setcap",
    ELSEWHERE,
  ),
  sysctl: { options: "-w!elsewhere -p?load -a -n -e -q -N -b", operands: "data" },
  mount: { options: "-l -v -h -V", operands: "elsewhere" },
  passwd: ELSEWHERE,
  terraform: {
    options: "-chdir:chdir -version -help",
    operands: "name",
    style: "long",
    commands: {
      console: { always: "opaque" },
      init: {
        options:
          "-plugin-dir:load -from-module:net -backend-config:data -upgrade -reconfigure -input:data -backend:data -get:data -lockfile:data",
        operands: "name",
        style: "long",
      },
      "*": {
        options:
          "-var-file:read -out:write -var:data -no-color -json -input:data -state:both -state-out:write -backup:write",
        operands: "name",
        style: "long",
      },
    },
  },
};
