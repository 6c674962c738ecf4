import { childPath, toItems } from '../../recipe/read-yaml.ts';
import { svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { type Rule, rule } from '../../text/rule.ts';
import { Collector } from './collector.ts';
import { readForeignYaml, toMap, toScalarText, withMerged } from './documents.ts';
import { readImageName } from './image-name.ts';
import { interpolate, UnsetVariableError } from './interpolate.ts';
import type { SourceContents, SourceDocument } from './model.ts';

/**
 * Reads a compose file: the images of all its services, in all profiles, and of their image volumes.
 *
 * @param variables values for `${X}`
 * @throws SVC-VAL-001 for an invalid image, and for a variable without value; SVC-VAL-002
 */
export function readCompose(
  { text, file }: SourceDocument,
  variables: ReadonlyMap<string, string>,
): SourceContents {
  const found = new Collector(file);
  const document = toMap(readForeignYaml(text, file));
  const services = toMap(document?.get('services'));
  const fail = (path: string, broken: Rule) => svcError('SVC-VAL-001', { file, path, rule: broken });
  if (!services) throw fail('services', rule(['must be a map', fr`doit être un objet`]));
  const resolve = (written: string, path: string): string => {
    let image: string;
    try {
      image = interpolate(written, variables);
    } catch (error) {
      if (error instanceof UnsetVariableError)
        throw svcError('SVC-VAL-001', {
          file,
          path,
          rule: rule(
            [
              'the variable {variable} has no value[: {advice}]',
              fr`la variable {variable} n’a pas de valeur[ : {advice}]`,
            ],
            { variable: error.variable, advice: error.advice },
          ),
          problem: 'variable',
        });
      if (error instanceof SyntaxError)
        throw fail(
          path,
          rule([
            'has a variable expression that cannot be read',
            fr`contient une expression de variable illisible`,
          ]),
        );
      throw error;
    }
    const name = readImageName(image);
    if ('rule' in name) throw fail(path, name.rule);
    return image;
  };
  for (const [name, value] of services) {
    const own = toMap(value);
    if (!own) continue;
    const service = withMerged(own);
    const path = childPath('services', name);
    const at = (member: string) => childPath(path, member);
    const image = toScalarText(service.get('image'));
    const platform = toScalarText(service.get('platform'));
    if (image !== undefined) {
      const taken = resolve(image, at('image'));
      found.image(taken, at('image'), platform?.includes('$') === false ? { platform } : {});
    } else if (service.has('build')) found.leaveOut(name, at('build'), 'build-only');
    else if (service.has('extends')) found.leaveOut(name, at('extends'), 'other-file');
    for (const [i, item] of toItems(service.get('volumes')).entries()) {
      const volume = toMap(item);
      const source = toScalarText(volume?.get('source'));
      const where = `${at('volumes')}[${i}].source`;
      if (volume?.get('type') === 'image' && source !== undefined) found.image(resolve(source, where), where);
    }
  }
  for (const [i, item] of toItems(document?.get('include')).entries()) {
    const included = toScalarText(item) ?? toScalarText(toMap(item)?.get('path')) ?? '';
    found.leaveOut(included, `include[${i}]`, 'other-file');
  }
  return found.contents;
}
