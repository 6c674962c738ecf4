import type { YamlMap } from '../../recipe/read-yaml.ts';
import { svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';
import { readHelmMap } from '../foreign/documents.ts';

/**
 * Reads a file of values for a chart; one without a member is an empty map.
 *
 * @param file name of the document in errors
 * @throws SVC-VAL-001, also for another document than a map, SVC-VAL-002
 */
export function readValues(bytes: Uint8Array, file: string): YamlMap {
  const values = readHelmMap(bytes, file);
  if (values !== undefined) return values;
  throw svcError('SVC-VAL-001', {
    file,
    rule: rule(['must be a map of members', fr`doit être un objet de membres`]),
  });
}
