import { requireAbsolute } from '../../../../src/base/require-absolute.ts';
import { notSet } from '../../../../src/base/require-setting.ts';
import { fingerprintTag } from '../../../../src/catalog/shown-tag.ts';
import { checkText } from '../../../../src/contract/check-value.ts';
import type { PackedFileset } from '../../../../src/contract/fileset.ts';
import { packFileset } from '../../../../src/contract/operations/filesets.ts';
import { filesetName, tagText } from '../../../../src/contract/patterns.ts';
import { requireFilesetName } from '../../../../src/fileset/fileset-name.ts';
import { svcError } from '../../../../src/text/error.ts';
import { filesets } from '../../../../src/text/words/serving/filesets.ts';
import { placeFileset } from '../../../views/filesets.ts';
import { html } from '../../html.ts';
import { copyable } from '../../parts/copy.ts';
import { fingerprintField } from '../../parts/fingerprint.ts';
import { form, submit, textField } from '../../parts/form.ts';
import { facts } from '../../parts/table.ts';
import { terminal } from '../../parts/terminal.ts';
import { code } from '../../parts/text.ts';
import { fieldOf } from '../../read-form.ts';
import {
  type ActionCall,
  action,
  type Fields,
  type Page,
  type PageCall,
  type PageRoute,
  page,
  type UiRoute,
} from '../../ui-route.ts';
import { filesetFilters, showFilesets } from './list.ts';

/** The page `/filesets/pack`. @throws SVC-CFG-001 where no folder may be packed */
function showPack(call: PageCall): Page {
  const { words, instance } = call;
  const { say } = words;
  const { packRoots } = instance.context.config.files;
  if (packRoots.length === 0) throw svcError('SVC-CFG-001', { setting: 'files.packRoots', detail: notSet });
  return {
    title: say(filesets.pack),
    lead: say(filesets.packLine),
    crumbs: [[say(filesets.title), '/filesets']],
    sections: [
      {
        id: 'pack',
        html: form(
          '/filesets/pack',
          html`${textField(call, { name: 'source', label: say(filesets.source), hint: say(filesets.sourceHint, { roots: words.format.list(packRoots) }), required: true })}
${textField(call, { name: 'name', label: say(filesets.name), required: true })}
${textField(call, { name: 'version', label: say(filesets.version), hint: say(filesets.versionHint), required: true })}
${submit(say(filesets.pack), { working: say(filesets.packing) })}`,
        ),
      },
      { id: 'terminal', html: terminal(words, ['svc fileset pack FOLDER NAME:VERSION']) },
    ],
  };
}

/** Asks before a version that exists names other content; a new one is packed at once. @throws SVC-FIL-001 */
async function previewPack(
  call: ActionCall,
): Promise<{ readonly show: Page } | { readonly fingerprint: string }> {
  const { words, fields, store } = call;
  const { say } = words;
  const [source = '', name = '', version = ''] = ['source', 'name', 'version'].map((one) =>
    fieldOf(fields, one),
  );
  const place = placeFileset(call, { name, version });
  const fingerprint = fingerprintTag(store.index, place);
  const known = store.index.tag(place.repository, place.tag);
  if (known === undefined) return { fingerprint };
  const hidden = Object.entries({ source, name, version }).map(
    ([field, value]) => html`<input type="hidden" name="${field}" value="${value}">`,
  );
  return {
    show: {
      title: say(filesets.replaceTitle, { name: `${name}:${version}` }),
      crumbs: [[say(filesets.title), '/filesets']],
      sections: [
        {
          id: 'pack',
          html: html`<p>${say(filesets.replaceLine)}</p>${facts([
            [say(filesets.source), code(source)],
            [say(filesets.digest), copyable(words, known.digest, say(filesets.digest))],
          ])}${form('/filesets/pack', html`${hidden}${fingerprintField(fingerprint)}<div class="buttons">${submit(say(filesets.replace), { kind: 'danger', working: say(filesets.packing) })}<a class="button button-plain" href="/filesets/pack">${say(filesets.keep)}</a></div>`)}`,
        },
        { id: 'terminal', html: terminal(words, ['svc fileset pack FOLDER NAME:VERSION']) },
      ],
    },
  };
}

function showPacked({ words }: PageCall, packed: PackedFileset): Page {
  const { say } = words;
  const { name, version, reference, digest, files, directories, symlinks, bytes } = packed;
  return {
    title: say(filesets.packedTitle, { name: `${name}:${version}` }),
    crumbs: [[say(filesets.title), '/filesets']],
    sections: [
      {
        id: 'packed',
        html: html`${facts([
          [say(filesets.reference), copyable(words, reference, say(filesets.reference))],
          [say(filesets.digest), copyable(words, digest, say(filesets.digest))],
          [say(filesets.contents), say(filesets.packedLine, { files, directories, symlinks, bytes })],
        ])}
<p class="muted">${say(filesets.othersLine)}</p>
<p><a class="button button-primary" href="/filesets">${say(filesets.all)}</a></p>`,
      },
    ],
  };
}

/** The field that cannot be packed. */
function faultyOf(fields: Fields): string {
  if (checkText(fieldOf(fields, 'name'), filesetName) !== undefined) return 'name';
  return checkText(fieldOf(fields, 'version'), tagText) === undefined ? 'source' : 'version';
}

const packPage: PageRoute = {
  method: 'GET',
  path: '/filesets/pack',
  floor: 'admin',
  title: filesets.pack,
  page: showPack,
};

export const filesetPages: readonly UiRoute[] = [
  page({
    method: 'GET',
    path: '/filesets',
    floor: 'viewer',
    title: filesets.title,
    query: filesetFilters,
    page: showFilesets,
  }),
  packPage,
  action(packFileset, {
    path: '/filesets/pack',
    page: '/filesets/pack',
    faulty: { 'SVC-FIL-001': faultyOf, 'SVC-FIL-002': 'source', 'SVC-FIL-003': 'source' },
    replacesShown: true,
    checks: () => ({
      source: (path) => requireAbsolute(path, 'source'),
      name: (name) => requireFilesetName({ name, version: '1' }),
      version: (version) => requireFilesetName({ name: 'any', version }),
    }),
    preview: previewPack,
    done: (_call, answer) => {
      const { fileset } = answer;
      return { keep: { show: (later) => showPacked(later, fileset), of: fileset } };
    },
  }),
];
