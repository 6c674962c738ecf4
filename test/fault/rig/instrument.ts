// Loaded before the program (`--import`): stands between it and the filesystem. It counts every call that changes
// something below the watched folders. By the plan in SVC_FAULT_PLAN it kills the process at one call, makes some fail,
// or records them all. The calls are those of the real code, and they are really made.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { constants } from 'node:os';
import { join, resolve } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import type { FaultPlan, Recorded } from './fault-plan.ts';

type Anything = (...args: any[]) => any;

const plan: FaultPlan = JSON.parse(process.env.SVC_FAULT_PLAN ?? '{"roots":[]}');
const raw = {
  openSync: fs.openSync,
  writeSync: fs.writeSync,
  lstatSync: fs.lstatSync,
  fstatSync: fs.fstatSync,
  writeFileSync: fs.writeFileSync,
};
const folders = new Map<number, string>();
const ids = new Map<number, number>();
const positions = new Map<number, number>();
// several processes, one after the other, may write one record
let lastId = process.pid * 1_000_000;
let isArmed = plan.armed === undefined;
let count = 0;
let last = '';
const log = plan.record === undefined ? undefined : raw.openSync(plan.record, 'a');

const now = (): number => Number(process.hrtime.bigint() / 1000n);

function write(entry: Recorded): void {
  if (log !== undefined) raw.writeSync(log, `${JSON.stringify(entry)}\n`);
}

/** Where a path leads, through folders that are held open. */
function toPath(path: unknown): string {
  const text = String(path);
  const match = /^\/proc\/self\/fd\/(\d+)(\/.*)?$/.exec(text);
  const folder = match && folders.get(Number(match[1]));
  return folder === undefined || folder === null ? resolve(text) : join(folder, match![2] ?? '');
}

function isWatched(path: string): boolean {
  return plan.roots.some((root) => path === root || path.startsWith(`${root}/`));
}

const exists = (path: string): boolean => raw.lstatSync(path, { throwIfNoEntry: false }) !== undefined;

function toId(ino: number, isNew: boolean): number {
  const known = ids.get(ino);
  if (known !== undefined && !isNew) return known;
  lastId += 1;
  ids.set(ino, lastId);
  return lastId;
}

function die(): never {
  if (plan.report !== undefined)
    raw.writeFileSync(plan.report, JSON.stringify({ count, last, killed: true }));
  process.kill(process.pid, 'SIGKILL');
  throw new Error('killed');
}

const failures = (plan.fail ?? []).map((rule) => ({
  ...rule,
  op: new RegExp(`^(?:${rule.op})$`),
  path: new RegExp(rule.path ?? ''),
  seen: 0,
}));

function toFailure(op: string, path: string): { code: string; delay: number } | undefined {
  for (const rule of failures) {
    if (!rule.op.test(op) || !rule.path.test(path)) continue;
    rule.seen += 1;
    const skip = rule.skip ?? 0;
    if (rule.seen <= skip || rule.seen > skip + (rule.times ?? Number.POSITIVE_INFINITY)) continue;
    return { code: rule.code, delay: rule.delay ?? 0 };
  }
  return undefined;
}

/** As the runtime makes it, which knows no name of a used-up quota. */
function toError(named: string, op: string, path: string): Error {
  const errno = -(constants.errno as Record<string, number>)[named]!;
  const code = named === 'EDQUOT' ? `Unknown system error ${errno}` : named;
  return Object.assign(new Error(`${code}: injected, ${op} '${path}'`), { code, errno, syscall: op, path });
}

/** One changing call: counted, then made, failed or interrupted by the end of the process. */
async function around<T>(op: string, path: string, work: () => Promise<T>): Promise<T> {
  if (!isWatched(path) || !isArmed) return work();
  count += 1;
  last = `${op} ${path}`;
  const { kill } = plan;
  const isLast = kill?.at === count;
  if (isLast && kill.when === 'before') die();
  const failure = toFailure(op, path);
  if (failure !== undefined) {
    if (failure.delay > 0) await new Promise((done) => setTimeout(done, failure.delay));
    throw toError(failure.code, op, path);
  }
  const working = work();
  if (isLast && kill.when === 'during') die();
  const result = await working;
  if (isLast && kill.when === 'after') die();
  return result;
}

let step = process.pid * 1_000_000;
/** Records the start of a call with its target, and its end. */
async function recorded<T>(entry: Record<string, unknown>, work: () => Promise<T>): Promise<T> {
  if (log === undefined) return work();
  step += 1;
  const at = step;
  write({ step: at, phase: 'start', at: now(), ...entry } as Recorded);
  const result = await work();
  write({ step: at, phase: 'end', at: now() } as Recorded);
  return result;
}

const toBytes = (data: unknown): Buffer =>
  typeof data === 'string' ? Buffer.from(data) : Buffer.from(data as Uint8Array);

const { promises } = fs as unknown as { promises: Record<string, Anything> };
const original: Record<string, Anything> = { ...promises };

promises.open = async (path: unknown, flags: string | number = 'r', mode?: number) => {
  const full = toPath(path);
  const { O_CREAT, O_TRUNC, O_APPEND } = fs.constants;
  const creates = typeof flags === 'number' ? (flags & O_CREAT) !== 0 : /^[wa]/.test(flags);
  const cuts = typeof flags === 'number' ? (flags & O_TRUNC) !== 0 : flags.startsWith('w');
  const appends = typeof flags === 'number' ? (flags & O_APPEND) !== 0 : flags.startsWith('a');
  const wasThere = !creates || exists(full);
  const open = async () => {
    const handle = await original.open!(path, flags, mode);
    folders.set(handle.fd, full);
    const { ino, size } = raw.fstatSync(handle.fd);
    const id = toId(ino, !wasThere);
    handle.__id = id;
    positions.set(handle.fd, appends ? size : 0);
    if (isWatched(full)) {
      if (!wasThere) write({ step: 0, phase: 'note', at: now(), op: 'create', path: full, id });
      else write({ step: 0, phase: 'note', at: now(), op: 'base', path: full, id });
      if (wasThere && cuts) write({ step: 0, phase: 'note', at: now(), op: 'truncate', id, length: 0 });
    }
    return handle;
  };
  // an open for reading only is nowhere a step of its own
  return creates ? around('open', full, open) : open();
};

for (const [op, names] of Object.entries({
  mkdir: 1,
  rmdir: 1,
  unlink: 1,
  rm: 1,
  rename: 2,
  link: 2,
  copyFile: 2,
})) {
  promises[op] = (first: unknown, second: unknown, ...rest: unknown[]) => {
    const from = toPath(first);
    const to = names === 2 ? toPath(second) : undefined;
    const work = () => original[op]!(first, second, ...rest);
    const target = to ?? from;
    if (op === 'mkdir' && exists(from)) return work();
    if ((op === 'rm' || op === 'unlink') && !exists(from)) return work();
    if (!isWatched(target)) return work();
    return around(op, target, () => recorded({ op, path: from, ...(to === undefined ? {} : { to }) }, work));
  };
}

for (const op of ['writeFile', 'appendFile']) {
  promises[op] = async (
    path: unknown,
    data: unknown,
    options: { flag?: string; mode?: number } | string = {},
  ) => {
    if (typeof path === 'object' && path !== null && 'fd' in path) return (path as any)[op](data, options);
    const { flag = op === 'writeFile' ? 'w' : 'a', mode } = typeof options === 'string' ? {} : options;
    const file = await promises.open!(path, flag, mode);
    try {
      await file.writeFile(data);
    } finally {
      await file.close();
    }
  };
}

if (plan.clock !== undefined) {
  const { clock } = plan;
  const right = Date.now.bind(Date);
  const readFileSync = fs.readFileSync;
  const wrong = (): number => right() + Number(readFileSync(clock, 'utf8'));
  globalThis.Date = new Proxy(Date, {
    construct: (target, args, self) => Reflect.construct(target, args.length === 0 ? [wrong()] : args, self),
    get: (target, name) => (name === 'now' ? wrong : Reflect.get(target, name)),
  });
}

if (plan.filesystems !== undefined) {
  const { filesystems } = plan;
  const statfsSync: Anything = fs.statfsSync;
  const disguise = (path: unknown, found: fs.StatsFs): fs.StatsFs => {
    for (const [folder, type] of Object.entries(filesystems)) {
      const full = resolve(String(path));
      if (full === folder || full.startsWith(`${folder}/`)) found.type = type;
    }
    return found;
  };
  promises.statfs = async (path: unknown, options: unknown) =>
    disguise(path, await original.statfs!(path, options));
  Object.assign(fs, {
    statfsSync: (path: unknown, options: unknown) => disguise(path, statfsSync(path, options)),
  });
}

const sample = await original.open!('/dev/null');
const prototype = Object.getPrototypeOf(sample) as Record<string, Anything>;
await sample.close();
const handles: Record<string, Anything> = {};
for (const name of [
  'write',
  'writev',
  'writeFile',
  'appendFile',
  'sync',
  'datasync',
  'truncate',
  'close',
  'readFile',
])
  handles[name] = prototype[name]!;

async function collect(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** A write with the place where its bytes go. */
function writing(op: string, toPieces: (args: any[]) => { data: unknown[]; position: number | null }): void {
  prototype[op] = function written(this: any, ...args: any[]) {
    const path = folders.get(this.fd) ?? '';
    const work = () => handles[op]!.apply(this, args);
    if (!isWatched(path)) return work();
    return around(op, path, async () => {
      const { data, position } = toPieces(args);
      const pieces = [];
      for (const piece of data) {
        if (
          piece !== null &&
          typeof piece === 'object' &&
          Symbol.asyncIterator in piece &&
          !(piece instanceof Uint8Array)
        )
          pieces.push(await collect(piece as AsyncIterable<Uint8Array>));
        else if (piece !== null && typeof piece === 'object' && !(piece instanceof Uint8Array))
          pieces.push(Buffer.from([...(piece as Iterable<string>)].join('')));
        else pieces.push(toBytes(piece));
      }
      if (
        args[0] !== null &&
        typeof args[0] === 'object' &&
        op === 'writeFile' &&
        !(args[0] instanceof Uint8Array)
      )
        args[0] = pieces[0];
      const bytes = Buffer.concat(pieces);
      const at = position ?? positions.get(this.fd) ?? 0;
      if (position === null) positions.set(this.fd, at + bytes.length);
      const data64 = log === undefined ? '' : bytes.toString('base64');
      return recorded({ op: 'write', path, id: this.__id, position: at, data: data64 }, work);
    });
  };
}
writing('write', ([data, offset = 0, length, position = null]) =>
  typeof data === 'string'
    ? { data: [data], position: typeof offset === 'number' && offset > 0 ? offset : null }
    : {
        data: [(data as Uint8Array).subarray(offset, offset + (length ?? data.length - offset))],
        position: typeof position === 'number' ? position : null,
      },
);
writing('writev', ([list, position = null]) => ({
  data: list,
  position: typeof position === 'number' ? position : null,
}));
writing('writeFile', ([data]) => ({ data: [data], position: null }));
writing('appendFile', ([data]) => ({ data: [data], position: null }));

for (const op of ['sync', 'datasync'])
  prototype[op] = function synced(this: any) {
    const path = folders.get(this.fd) ?? '';
    const work = () => handles[op]!.call(this);
    if (!isWatched(path)) return work();
    return around('sync', path, () => recorded({ op: 'sync', path, id: this.__id }, work));
  };
prototype.truncate = function truncated(this: any, length = 0) {
  const path = folders.get(this.fd) ?? '';
  const work = () => handles.truncate!.call(this, length);
  if (!isWatched(path)) return work();
  return around('truncate', path, () => recorded({ op: 'truncate', path, id: this.__id, length }, work));
};

const openSync = fs.openSync;
(fs as any).openSync = (path: unknown, flags: any, mode: any) => {
  const full = toPath(path);
  const creates = typeof flags === 'string' && /^[wa]/.test(flags);
  const isNew = creates && isWatched(full) && !exists(full);
  if (isNew && isArmed) {
    count += 1;
    last = `open ${full}`;
    if (plan.kill?.at === count) die();
  }
  const fd = openSync(path as string, flags, mode);
  if (isNew)
    write({
      step: 0,
      phase: 'note',
      at: now(),
      op: 'create',
      path: full,
      id: toId(raw.fstatSync(fd).ino, true),
    });
  return fd;
};

if (isMainThread) {
  syncBuiltinESMExports();
  const { armed } = plan;
  if (armed !== undefined)
    process.on('SIGUSR2', () => {
      isArmed = true;
      raw.writeFileSync(armed, '');
    });
  process.on('exit', () => {
    if (plan.report !== undefined)
      raw.writeFileSync(plan.report, JSON.stringify({ count, last, killed: false }));
  });
}
