// The additions of `--stay`: a second delivery through two instances that go on running, and accounts to look at them with.
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { isatty } from 'node:tty';
import { formatByteSize } from '../../src/text/size.ts';
import { adminName, type Instance } from '../../test/kit/instance/instance.ts';
import { runTask } from '../../test/kit/instance/settle-task.ts';
import { untilJudged } from '../../test/kit/scene/until-judged.ts';
import { type Delivery, synchronize } from './delivery.ts';
import { publishNext } from './publisher.ts';
import { generatePassword, type Stage } from './stage.ts';
import { printChapter, printDetail, printGrid, printLine } from './story.ts';

interface SignIn {
  readonly name: string;
  readonly role: 'viewer' | 'operator' | 'admin';
  readonly password: string;
}

export interface StayingInstances {
  readonly mirror: Instance;
  readonly zone: Instance;
  readonly signIns: readonly SignIn[];
}

/** Publishes a second release and carries it, through a mirror and a zone instance that are left running. */
export async function openInstances(stage: Stage, delivery: Delivery): Promise<StayingInstances> {
  const { publisher, medium, mirrorConfig, token, toZoneConfig, zoneRegistry } = delivery;
  const { origin } = publisher;
  printChapter('A second delivery, through instances that stay');
  await publishNext(publisher);
  const mirror = await stage.start('mirror', mirrorConfig);
  await synchronize(stage, 'synchronize 1.5.0', mirror, token);
  stage.stopWhenInterrupted();
  const carried = join(stage.folder, 'carried-again');
  await cp(medium, carried, { recursive: true });
  const ref = `${origin.host}/files/packages`;
  const zone = await stage.start('zone', {
    ...toZoneConfig('zone-b', carried),
    files: { filesets: [{ name: 'packages', ref }] },
  });
  printLine(`svc serve in the zone, on the medium that was carried, at ${zone.url}`);
  const { report } = await untilJudged(zone);
  if (report?.verdict !== 'pushable') throw new Error(`the medium did not pass: ${JSON.stringify(report)}`);
  const names = report.recipes.map(({ name, version }) => `${name} ${version}`);
  printDetail(`verified: ${names.join(' and ')}; the instance serves what passed`);
  stage.stopWhenInterrupted();
  const { status, progress } = await runTask(zone, '/media/import', {});
  if (status !== 'done') throw new Error('the second import failed');
  printDetail(`imported into ${zoneRegistry.url}, ${formatByteSize(progress.bytesDone)}`);
  return { mirror, zone, signIns: await addAccounts(stage, [mirror, zone]) };
}

async function addAccounts(stage: Stage, instances: readonly Instance[]): Promise<SignIn[]> {
  const added = (['viewer', 'operator'] as const).map((role) => {
    return { name: role, role, password: generatePassword() };
  });
  for (const instance of instances) {
    for (const account of added) {
      const { status, body } = await instance.api('POST', '/accounts', account);
      if (status !== 201) throw new Error(`no account ${account.name}: ${JSON.stringify(body)}`);
    }
  }
  return [...added, { name: adminName, role: 'admin', password: stage.password }];
}

/** Prints the addresses of the instances and the accounts: the only place where the passwords are shown. */
export function printSignIns({ mirror, zone, signIns }: StayingInstances): void {
  printGrid(
    ['instance', 'address'],
    [
      ['mirror', mirror.url],
      ['zone-b', zone.url],
    ],
  );
  printGrid(
    ['name', 'password, at both', 'role'],
    signIns.map(({ name, password, role }) => [name, password, role]),
  );
  printLine('');
  printLine('Ctrl-C stops everything and removes all files.');
}

/**
 * Calls `gone` when the terminal of stdout has hung up. A process in the background gets no SIGHUP for it, so the
 * terminal is asked. Does nothing where stdout is not a terminal.
 *
 * @param every milliseconds between two questions
 */
export function watchTerminal(gone: () => void, every = 1000): Disposable {
  const timer = isatty(1)
    ? setInterval(() => {
        if (!isatty(1)) gone();
      }, every)
    : undefined;
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
