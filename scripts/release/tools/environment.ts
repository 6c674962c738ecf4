/** Variables that a release keeps of the environment in which it is started. */
const kept = ['HOME', 'TMPDIR', 'GNUPGHOME'];
/** Variables that gpg needs to ask for a password. */
const ofTerminal = [
  'GPG_TTY',
  'TERM',
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'XAUTHORITY',
  'DBUS_SESSION_BUS_ADDRESS',
];
/** Settings of faketime: the wrong clock of a check reaches every program of its build. */
const ofClock = ['LD_PRELOAD', 'FAKETIME', 'FAKETIME_DONT_FAKE_MONOTONIC', 'NO_FAKE_STAT'];

function pick(env: NodeJS.ProcessEnv, names: readonly string[]): Record<string, string> {
  const given = names.map((name) => [name, env[name]] as const).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as Record<string, string>;
}

/**
 * The environment for a build: without variables that change the behaviour of the runtime, the bundler or another program,
 * and without programs of installed packages. It has the variables of the project itself, such as the password of the key.
 */
export function toBuildEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const own = Object.keys(env).filter((name) => name.startsWith('SVC_'));
  return {
    ...pick(env, [...kept, ...ofTerminal, ...own]),
    PATH: toSearchPath(env),
    LC_ALL: 'C.UTF-8',
    TZ: 'UTC',
  };
}

/**
 * The environment for a program that a release starts. Programs such as tar, xz and rpmbuild take options from variables,
 * so they get none of the user's, and no settings in the home folder.
 *
 * @param more variables that one program needs
 */
export function toToolEnvironment(
  env: NodeJS.ProcessEnv,
  more: Readonly<Record<string, string>> = {},
): NodeJS.ProcessEnv {
  // a library that is loaded first can be that of faketime only
  const clock = env.FAKETIME === undefined ? {} : pick(env, ofClock);
  const own = { PATH: toSearchPath(env), HOME: '/nonexistent', LC_ALL: 'C', TZ: 'UTC' };
  return { ...pick(env, ['TMPDIR']), ...clock, ...own, ...more };
}

/** Further variables for gpg: the keys, and a way to ask for their password. */
export function pickForGpg(env: NodeJS.ProcessEnv): Record<string, string> {
  return pick(env, ['HOME', 'GNUPGHOME', ...ofTerminal]);
}

/** The search path without the folders of packages: npm puts their programs before all others. */
export function toSearchPath({ PATH = '/usr/local/bin:/usr/bin:/bin' }: NodeJS.ProcessEnv): string {
  const isOfPackages = (folder: string): boolean => folder.split('/').includes('node_modules');
  return PATH.split(':')
    .filter((folder) => folder.startsWith('/') && !isOfPackages(folder))
    .join(':');
}
