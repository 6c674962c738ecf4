import { isTag, parseRepositoryReference, type RepositoryReference } from '../oci/reference.ts';
import { isSvcError } from '../text/error.ts';
import { ConstraintError, isConstraint, parseConstraint } from './constraint.ts';
import type { DocumentReader } from './document-reader.ts';
import type { YamlValue } from './read-yaml.ts';

/** Reads a `ref` or `cookbook`: exactly `<host>[:<port>]/<path>`, fully qualified. */
export function readRepository(
  reader: DocumentReader,
  value: YamlValue | undefined,
  path: string,
): RepositoryReference | undefined {
  const text = reader.text(value, path, 512);
  if (text === undefined) return undefined;
  if (text.includes('://')) return reader.fail(path, 'must not contain a scheme');
  if (text.includes('@')) return reader.fail(path, 'must not contain a digest or a user name');
  if (/[?#]/.test(text)) return reader.fail(path, 'must not contain a query or fragment');
  try {
    return parseRepositoryReference(text);
  } catch (error) {
    if (!isSvcError(error, 'SVC-REG-001')) throw error;
    return reader.fail(path, String(error.params.rule));
  }
}

/** Returns the rule for a `version` member, an exact tag or a constraint, if `text` breaks it. */
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
