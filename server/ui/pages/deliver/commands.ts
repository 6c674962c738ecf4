import type { MediumWriting } from '../../../../src/contract/write-medium.ts';
import { toShellWord } from '../../../../src/text/shell-word.ts';
import { parseByteSizes } from '../../../../src/text/size.ts';
import { plan as words } from '../../../../src/text/words/delivering/plan.ts';
import { type Html, html } from '../../html.ts';
import { command, copyable } from '../../parts/copy.ts';
import { curlCommand, instanceUrl } from '../../parts/curl.ts';
import { form, submit, textArea, textField } from '../../parts/form.ts';
import { configNote, terminal, toConfigFlag } from '../../parts/terminal.ts';
import type { PageCall } from '../../ui-route.ts';
import { type Asked, type AskedDisk, isBurnt, toPlanQuery } from './asked.ts';

/** Folders of mounted disks: those that were named, or examples. */
const toFolders = ({ folders }: AskedDisk, parts: number): readonly string[] =>
  folders ?? Array.from({ length: parts }, (_, i) => `/mnt/disk-${i + 1}/delivery`);

/** The command that writes the planned media. */
function writeCommand(call: PageCall, asked: Asked, disk: AskedDisk, parts: number): string {
  const { zone, base, recipes } = asked;
  const burnt = isBurnt(disk);
  return `${[
    'svc media write',
    ...(burnt ? ['discs'] : toFolders(disk, parts).map(toShellWord)),
    `--zone ${toShellWord(zone)}`,
    ...(base === 'latest' ? [] : [`--base ${base}`]),
    ...recipes.map((recipe) => `--recipe ${toShellWord(recipe)}`),
    ...(burnt ? [`--volume-size ${disk.size}`] : []),
  ].join(' ')}${toConfigFlag(call)}`;
}

/** One size as a number, several ones as a list. */
function toBodySizes({ size = '' }: AskedDisk): number | readonly number[] | undefined {
  const sizes = parseByteSizes(size);
  return sizes?.length === 1 ? sizes[0] : sizes;
}

function toBody({ zone, base, recipes }: Asked, disk: AskedDisk, parts: number) {
  const burnt = isBurnt(disk);
  return {
    folders: burnt ? ['/srv/discs'] : toFolders(disk, parts),
    zone,
    ...(base === 'latest' ? {} : { base }),
    ...(recipes.length === 0 ? {} : { recipes }),
    ...(burnt ? { volumeBytes: toBodySizes(disk) } : {}),
  };
}

const hidden = (name: string, value: string | number | undefined): Html | string =>
  value === undefined || value === '' ? '' : html`<input type="hidden" name="${name}" value="${value}">`;

/** The form that starts the task. It carries the plan, so that the page can be shown again. */
function writeForm(call: PageCall, asked: Asked, disk: AskedDisk, parts: number): Html {
  const { say } = call.words;
  const burnt = isBurnt(disk);
  const folders = burnt
    ? textField(call, {
        name: 'folders',
        label: say(words.folder),
        hint: say(words.folderHint),
        required: true,
      })
    : textArea(call, {
        name: 'folders',
        label: say(words.folders),
        hint: say(words.foldersHint),
        value: disk.folders?.join('\n') ?? '',
        required: true,
        rows: Math.min(Math.max(parts, 2), 8),
      });
  return form(
    '/deliver/write',
    html`${hidden('zone', asked.zone)}${hidden('base', asked.base)}${hidden('recipes', asked.recipes.join('\n'))}
${burnt ? hidden('volumeBytes', parseByteSizes(disk.size!)?.join('\n')) : ''}${hidden('_disk', asked.disk)}${hidden('_size', asked.size)}${hidden('_fat32', asked.fat32 ? 'true' : '')}${hidden('_mounted', asked.mounted.join('\n'))}
${folders}${submit(say(words.write), { working: say(words.writing) })}`,
  );
}

/** The address of the page with its plan. */
const planAddress = (call: PageCall): string => `${instanceUrl(call)}/deliver?${call.search}#run`;

/** How the planned media are written: by a command, or by the instance. */
export function runBlock(call: PageCall, asked: Asked, disk: AskedDisk, { volumes }: MediumWriting): Html {
  const { say } = call.words;
  const parts = volumes.length;
  const text = writeCommand(call, asked, disk, parts);
  const config = configNote(call.words, text);
  const byInstance = call.can('admin')
    ? html`<p>${say(words.here)}</p>${writeForm(call, asked, disk, parts)}`
    : html`<p>${say(words.onlyAdmin)}</p><p>${copyable(call.words, planAddress(call), say(words.address))}</p>`;
  return html`<h2>${say(words.run)}</h2><div class="pair"><div><p>${say(words.command)}</p>
${command(call.words, text)}
${config === '' ? '' : html`<p class="hint">${config}</p>`}${isBurnt(disk) || disk.folders !== undefined ? '' : html`<p class="hint">${say(words.commandFolders)}</p>`}</div>
<div>${byInstance}</div></div>`;
}

/** The commands that make the same plan, and start the same task. */
export function planCommands(call: PageCall, asked: Asked, disk: AskedDisk, parts: number): Html {
  const { recipe = [], folder = [], ...query } = toPlanQuery(asked, disk);
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  );
  for (const name of recipe) search.append('recipe', name);
  for (const path of folder) search.append('folder', path);
  return terminal(call.words, [
    `${writeCommand(call, asked, disk, parts)} --dry-run`,
    curlCommand(call, 'GET', `/media/plan?${search}`),
    ...(call.can('admin')
      ? [curlCommand(call, 'POST', '/media/write', JSON.stringify(toBody(asked, disk, parts)))]
      : []),
  ]);
}
