import { svcError } from '../../../../src/base/error.ts';
import { notSet } from '../../../../src/base/require-setting.ts';
import { filesets } from '../../../../src/base/words/serving/filesets.ts';
import type { PackedFileset } from '../../../../src/operation/pack-fileset.ts';
import { html } from '../../html.ts';
import { copyable } from '../../parts/copy.ts';
import { form, submit, textField } from '../../parts/form.ts';
import { facts } from '../../parts/table.ts';
import { terminal } from '../../parts/terminal.ts';
import type { Page, PageCall, PageRoute, UiRoute } from '../../ui-route.ts';
import { showFilesets } from './list.ts';

/** The page `/filesets/pack`. @throws SVC-CFG-001 where no folder may be packed */
function showPack(call: PageCall): Page {
  const { words, operations } = call;
  const { say } = words;
  if (!operations.packEnabled) throw svcError('SVC-CFG-001', { setting: 'files.packRoots', detail: notSet });
  return {
    title: say(filesets.pack),
    lead: say(filesets.packLine),
    crumbs: [[say(filesets.title), '/filesets']],
    sections: [
      {
        id: 'pack',
        html: form(
          '/filesets/pack',
          html`${textField(call, { name: 'source', label: say(filesets.source), hint: say(filesets.sourceHint), required: true })}
${textField(call, { name: 'name', label: say(filesets.name), required: true })}
${textField(call, { name: 'version', label: say(filesets.version), hint: say(filesets.versionHint), required: true })}
${submit(say(filesets.pack), { working: say(filesets.packing) })}`,
        ),
      },
      { id: 'terminal', html: terminal(words, ['svc fileset pack FOLDER NAME:VERSION']) },
    ],
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

const packPage: PageRoute = {
  method: 'GET',
  path: '/filesets/pack',
  floor: 'admin',
  title: filesets.pack,
  page: showPack,
};

export const filesetPages: readonly UiRoute[] = [
  { method: 'GET', path: '/filesets', floor: 'viewer', title: filesets.title, page: showFilesets },
  packPage,
  {
    method: 'POST',
    path: '/filesets/pack',
    floor: 'admin',
    page: '/filesets/pack',
    mirror: 'POST /filesets/pack',
    done: (_call, answer) => {
      const { fileset } = answer as { readonly fileset: PackedFileset };
      return { keep: { show: (later) => showPacked(later, fileset), of: fileset } };
    },
  },
];
