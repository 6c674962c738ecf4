import { toRecipe } from '../../recipe/document.ts';
import { listProblems } from '../../recipe/document-reader.ts';
import { locateMembers } from '../../recipe/find-line.ts';
import type { Recipe } from '../../recipe/model.ts';
import { parseYamlTree, toYamlValue, type YamlTree } from '../../recipe/read-yaml.ts';
import { isSvcError, type SvcError } from '../../text/error.ts';
import { localHost } from './local-host.ts';
import { longDigest } from './long-digest.ts';
import type { Finding, LintSettings, PureRule } from './model.ts';
import { movingTag } from './moving-tag.ts';
import { namedPlatform } from './named-platform.ts';
import { sameDigest } from './same-digest.ts';
import { sameReference } from './same-reference.ts';
import { type BoundedFindings, selectFindings } from './select-findings.ts';
import { toCommentFinding, unseenCharacter } from './unseen-character.ts';
import { findUnseenComments, mayHaveUnseen } from './unseen-comments.ts';

const rules: readonly PureRule[] = [
  ...[movingTag, namedPlatform, sameDigest, sameReference, localHost, longDigest, unseenCharacter],
];

export interface JudgedDocument extends BoundedFindings {
  /** Absent for a document that is no recipe, and where it is not requested. */
  readonly recipe?: Recipe;
}

/**
 * Finds the faults and doubtful parts of a recipe, draft or cooked, by its document alone. Every broken rule of the
 * format is a finding too. Its time grows with the document.
 *
 * @param file name of the document in errors
 * @throws SVC-VAL-002 for a document that is too large
 */
export function judgeDocument(
  bytes: Uint8Array,
  file: string,
  settings: LintSettings,
  { withRecipe = false }: { readonly withRecipe?: boolean } = {},
): JudgedDocument {
  let tree: YamlTree | undefined;
  try {
    tree = parseYamlTree(bytes, file);
    const recipe = toRecipe(toYamlValue(tree, file), file);
    const comments = mayHaveUnseen(bytes) ? findUnseenComments(bytes) : [];
    const findings = [
      ...rules.flatMap((rule) => [...rule(recipe, settings)]),
      ...comments.map(toCommentFinding),
    ];
    return { ...selectFindings(withLines(tree, findings)), ...(withRecipe ? { recipe } : {}) };
  } catch (error) {
    if (!isSvcError(error, 'SVC-VAL-001')) throw error;
    return selectFindings(withLines(tree, listBroken(error)));
  }
}

/** The rules of the format that a document breaks. @param error `SVC-VAL-001` of its reading */
export function listBroken(error: SvcError): readonly Finding[] {
  return listProblems(error).map(({ path, rule: broken }) => ({
    rule: 'format',
    severity: 'error',
    path,
    params: { broken },
  }));
}

function withLines(tree: YamlTree | undefined, findings: readonly Finding[]): readonly Finding[] {
  const lines = locateMembers(
    tree,
    findings.map(({ path }) => path),
  );
  return findings.map((finding, i): Finding => {
    const line = lines[i];
    return line === undefined ? finding : { ...finding, line };
  });
}
