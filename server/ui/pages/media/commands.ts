import type { MediumReport } from '../../../../src/catalog/medium-verdict.ts';
import { curlCommand } from '../../parts/curl.ts';
import type { PageCall } from '../../ui-route.ts';
import { waivers } from './forms.ts';

/** The option of `svc media` that does what a member of a request does: `allowStale`, `--allow-stale`. */
const toOption = (member: string): string =>
  ` --${member.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/**
 * The commands that do what the forms of the page do: the check and the import, each with the guards that were waived;
 * and, for administrators, a check that waives a guard which blocks.
 */
export function mediaCommands(call: PageCall, report: MediumReport | undefined): readonly string[] {
  const isAdmin = call.can('admin');
  const { configPath } = call.operations;
  const config = configPath === undefined ? '' : ` --config '${configPath.replaceAll("'", "'\\''")}'`;
  const membersOf = (isWaived: boolean): readonly string[] =>
    (isAdmin ? (report?.blocks ?? []) : [])
      .filter(({ waivable, waived }) => waivable && waived === isWaived)
      .flatMap(({ code }) => waivers[code]?.[0] ?? []);
  const run = (action: 'verify' | 'import', members: readonly string[]): readonly string[] => {
    const body = Object.fromEntries(members.map((member) => [member, true]));
    return [
      // on the machine of the instance; who may not read its settings uses the API
      ...(isAdmin ? [`svc media ${action}${config}${members.map(toOption).join('')}`] : []),
      curlCommand(call, 'POST', `/media/${action}`, JSON.stringify(body)),
    ];
  };
  return [
    ...run('verify', []),
    ...membersOf(false).flatMap((member) => run('verify', [member])),
    ...run('import', membersOf(true)),
  ];
}
