import { isSvcError } from '../base/error.ts';
import { isTag, parseRepositoryReference, type RepositoryReference } from '../oci/reference.ts';
import { ConstraintError, isConstraint, parseConstraint } from './constraint.ts';
import type { DocumentReader } from './document-reader.ts';
import type { YamlValue } from './read-yaml.ts';

/** Reads a `ref` or `cookbook`: `<host>[:<port>]/<path>`, fully qualified, and nothing else. */
export function readRepository(
  reader: DocumentReader,
  value: YamlValue | undefined,
  path: string,
): RepositoryReference | undefined {
  const text = reader.text(value, path, 512);
  if (text === undefined) return undefined;
  if (text.includes('://')) return reader.fail(path, 'must not carry a scheme');
  if (text.includes('@')) return reader.fail(path, 'must carry neither a digest nor a user name');
  if (/[?#]/.test(text)) return reader.fail(path, 'must not carry a query or fragment');
  try {
    return parseRepositoryReference(text);
  } catch (error) {
    if (!isSvcError(error, 'SVC-REG-001')) throw error;
    return reader.fail(path, String(error.params.rule));
  }
}

/** The rule of a `version` member: an exact tag or a constraint. */
export function versionRule(text: string): string | undefined {
  if (!isConstraint(text)) {
    return isTag(text)
      ? undefined
      : 'must be a tag (letters, digits, ".", "_", "-", at most 128) or a version constraint';
  }
  try {
    parseConstraint(text);
    return undefined;
  } catch (error) {
    if (!(error instanceof ConstraintError)) throw error;
    return `is not a version constraint: ${error.rule}`;
  }
}
