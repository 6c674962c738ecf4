// What the packages do on a machine. They make the account and the folders that the unit names, and nothing else:
// no configuration is written, no service is started that its administrator has not started. On removal they leave
// the configuration, the state and the store; even a purge removes these folders only where they are empty, and neither a
// mount point nor a link.

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
  systemctl --no-reload disable --now svc.service || true
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
if [ "$1" = remove ]; then
${reload}fi
if [ "$1" = purge ]; then
  rm -f /etc/systemd/system/multi-user.target.wants/svc.service
  for folder in /etc/svc /var/lib/svc /srv/svc; do
    if [ -L "$folder" ]; then
      echo "svc: $folder is kept: it is a link, which this package did not make" >&2
    elif mountpoint -q "$folder" 2>/dev/null; then
      echo "svc: $folder is kept: it is a mount point" >&2
    elif [ -d "$folder" ] && ! rmdir "$folder" 2>/dev/null; then
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
  postun: `if [ "$1" = 0 ]; then\n${reload}fi\n`,
};
