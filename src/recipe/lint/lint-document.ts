import { isSvcError, type SvcError } from '../../base/error.ts';
import type { Recipe } from '../model.ts';
import {
  type DocumentCaller,
  findDocumentComments,
  findDocumentLines,
  readRecipeDocument,
} from '../read-document.ts';
import { localHost } from './local-host.ts';
import { longDigest } from './long-digest.ts';
import type { Finding, LintSettings, PureRule } from './model.ts';
import { movingTag } from './moving-tag.ts';
import { namedPlatform } from './named-platform.ts';
import { sameDigest } from './same-digest.ts';
import { sameReference } from './same-reference.ts';
import { toCommentFinding, unseenCharacter } from './unseen-character.ts';

const rules: readonly PureRule[] = [
  ...[movingTag, namedPlatform, sameDigest, sameReference, localHost, longDigest, unseenCharacter],
];

export interface LintedDocument {
  readonly findings: readonly Finding[];
  /** Absent for a document that is no recipe. */
  readonly recipe?: Recipe;
}

/**
 * Finds what is worth changing in a recipe, draft or cooked, by its document alone. Every rule that the format itself
 * breaks is a finding too. Contacts nothing.
 *
 * @param file name of the document in errors
 * @throws SVC-VAL-002 for a document that is too large; the reason of the signal of the caller
 */
export async function lintDocument(
  bytes: Uint8Array,
  file: string,
  settings: LintSettings,
  caller: DocumentCaller = {},
): Promise<LintedDocument> {
  let recipe: Recipe;
  try {
    recipe = await readRecipeDocument(bytes, file, caller);
  } catch (error) {
    if (!isSvcError(error, 'SVC-VAL-001')) throw error;
    return { findings: await locateFindings(bytes, listBroken(error), caller) };
  }
  const comments = await findDocumentComments(bytes, caller);
  const findings = [
    ...rules.flatMap((rule) => [...rule(recipe, settings)]),
    ...comments.map(toCommentFinding),
  ];
  return { recipe, findings: await locateFindings(bytes, findings, caller) };
}

/** The rules of the format that a document breaks: the first in the parameters of the error, the others in its detail. */
function listBroken({ params, detail = '' }: SvcError): readonly Finding[] {
  const others = detail.split('\n').flatMap((line) => {
    const colon = line.indexOf(': ');
    return colon < 0 ? [] : [{ path: line.slice(0, colon), broken: line.slice(colon + 2) }];
  });
  return [{ path: String(params.path ?? ''), broken: String(params.rule) }, ...others].map(
    ({ path, broken }) => ({ rule: 'format', severity: 'error', path, params: { broken } }),
  );
}

/** Adds the lines of findings, and orders them by line. */
export async function locateFindings(
  bytes: Uint8Array,
  findings: readonly Finding[],
  caller: DocumentCaller = {},
): Promise<readonly Finding[]> {
  if (findings.length === 0) return findings;
  const lines = await findDocumentLines(
    bytes,
    findings.map(({ path }) => path),
    caller,
  );
  return findings
    .map((finding, i): Finding => {
      const line = lines[i];
      return line === undefined ? finding : { ...finding, line };
    })
    .sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
}
