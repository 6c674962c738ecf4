// The scripts of the packages on a machine. They make the account and the folders that the unit names, and nothing else.
// They write no configuration, and start no service that its administrator has not started. On removal they leave the
// configuration, the state and the store. Even a purge removes these folders only where they are empty, and no link or
// mount point, mounted or not. A unit that the administrator wrote, and the links that enable it, stay.

const account = `if command -v systemd-sysusers >/dev/null 2>&1; then
  systemd-sysusers svc.conf
elif ! getent passwd svc >/dev/null; then
  useradd --system --user-group --no-create-home --home-dir /var/lib/svc --shell /usr/sbin/nologin svc
fi
`;

const folders = `for folder in 'svc 0750 /srv/svc' 'svc 0700 /var/lib/svc' 'root 0755 /etc/svc'; do
  set -- $folder
  # what exists keeps its owner and its mode: it may be a mount point, or a link whose volume is not mounted
  [ -d "$3" ] || [ -L "$3" ] || install -d -o "$1" -g "$1" -m "$2" "$3"
done
`;

const restart = `if [ -d /run/systemd/system ]; then
  systemctl daemon-reload || true
  # an instance that runs is replaced by the new program; one that does not run is not started
  systemctl try-restart svc.service || true
fi
`;

const stop = `if [ -d /run/systemd/system ]; then
  systemctl stop svc.service || true
  # a unit of the administrator has precedence over that of the package, and stays enabled
  if [ ! -e /etc/systemd/system/svc.service ]; then
    systemctl --no-reload disable svc.service || true
  fi
fi
`;

/** Removes the link that enabled the removed unit of the package, also where systemd does not run; and nothing else. */
const disable = `link=/etc/systemd/system/multi-user.target.wants/svc.service
if [ -L "$link" ] && [ ! -e "$link" ] && [ "$(readlink -m "$link")" = /usr/lib/systemd/system/svc.service ]; then
  rm -f "$link"
fi
`;

const reload = `if [ -d /run/systemd/system ]; then
  systemctl daemon-reload || true
fi
`;

/** Scripts of the deb (deb-postinst(5) and so on). */
export const debScripts: Readonly<Record<string, string>> = {
  postinst: `#!/bin/sh
set -e
if [ "$1" = configure ]; then
${account}${folders}${restart}fi
`,
  prerm: `#!/bin/sh
set -e
if [ "$1" = remove ]; then
${stop}fi
`,
  postrm: `#!/bin/sh
set -e
# whether something that is not mounted now is configured to be mounted there
is_configured_mount() {
  wanted=$(readlink -m "$1")
  if [ -r /etc/fstab ]; then
    while read -r what where _ || [ -n "$what" ]; do
      case $what in '#'*) continue ;; esac
      [ "$(readlink -m "$where")" != "$wanted" ] || return 0
    done < /etc/fstab
  fi
  for place in "$1" "$wanted"; do
    unit=$(printf %s "\${place#/}" | tr / -)
    for units in /etc /run /usr/local/lib /usr/lib /lib; do
      [ ! -e "$units/systemd/system/$unit.mount" ] || return 0
      [ ! -e "$units/systemd/system/$unit.automount" ] || return 0
    done
  done
  return 1
}
if [ "$1" = remove ]; then
${disable}${reload}fi
if [ "$1" = purge ]; then
${disable}  for folder in /etc/svc /var/lib/svc /srv/svc; do
    if [ -L "$folder" ]; then
      echo "svc: $folder is kept: it is a link, which this package did not make" >&2
    elif [ ! -d "$folder" ]; then
      continue
    elif mountpoint -q "$folder" 2>/dev/null; then
      echo "svc: $folder is kept: it is a mount point" >&2
    elif is_configured_mount "$folder"; then
      echo "svc: $folder is kept: /etc/fstab or a mount unit names it" >&2
    elif ! rmdir "$folder" 2>/dev/null; then
      echo "svc: $folder is kept: it has content that this package did not install" >&2
    fi
  done
fi
`,
};

/** Scriptlets of the RPM; `$1` is the number of versions that stay installed. */
export const rpmScripts: Readonly<Record<string, string>> = {
  post: `${account}${folders}${restart}`,
  preun: `if [ "$1" = 0 ]; then\n${stop}fi\n`,
  postun: `if [ "$1" = 0 ]; then\n${disable}${reload}fi\n`,
};
