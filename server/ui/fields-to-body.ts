import { parseStrictJson } from '../../src/base/json/parse-json.ts';
import { checkValue } from '../../src/contract/check-value.ts';
import type { Schema } from '../../src/contract/schema.ts';
import { isSvcError, type SvcError, svcError } from '../../src/text/error.ts';
import { fr } from '../../src/text/language.ts';
import { rule } from '../../src/text/rule.ts';
import type { ApiRoute, QueryValue } from '../api/api-route.ts';
import { checkBody, readSoundParameters } from '../api/request/parse-request.ts';
import { missingField, noteFaults } from './faults.ts';
import { decodeExact, fieldOf, fromExactName, toExactName } from './read-form.ts';
import type { Check, Fields } from './ui-route.ts';

/** The request of the API made of a form. */
export interface MirroredRequest {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, QueryValue>>;
  readonly body: Readonly<Record<string, unknown>>;
}

const truths: ReadonlySet<string> = new Set(['true', 'on']);

const isObject = (schema: unknown): boolean => (schema as Schema | undefined)?.type === 'object';

/** A field of its own, whose value is the JSON of an object; anything else fails the check of the body. */
function toItem(text: string): unknown {
  try {
    return parseStrictJson(Buffer.from(text));
  } catch {
    return text;
  }
}

/** Refuses a second value for a name that has one value: it is not clear which one counts. */
function refuseTwice(name: string): never {
  throw svcError('SVC-VAL-001', {
    file: 'form',
    path: `/${name.slice(0, 64)}`,
    rule: rule(['must be given once', fr`doit être donné une seule fois`]),
  });
}

/**
 * Refuses a name that is given twice with different values, in a form that has no lists.
 *
 * @param isList whether a name may be given several times
 * @throws SVC-VAL-001
 */
export function requireSingle(fields: Fields, isList: (name: string) => boolean = () => false): void {
  for (const [name, values] of fields)
    if (!isList(name) && values.filter((value) => value !== '').length > 1) refuseTwice(name);
}

/** The items of a list in a text area: its lines, or its keys in PEM. */
function toItems(value: string, { contentMediaType }: Schema): readonly string[] {
  const text = value.replaceAll('\r\n', '\n');
  if (contentMediaType !== 'application/x-pem-file') return text.split('\n').filter((line) => line !== '');
  return text.split(/(?<=^-----END .*)\n/m).filter((block) => block.trim() !== '');
}

/** A member that may be one value or a list is a list in a form. */
const toForm = (schema: Schema): Schema => schema.anyOf?.find(({ type }) => type === 'array') ?? schema;

const toInteger = (text: string): number | string => (/^-?[0-9]{1,16}$/.test(text) ? Number(text) : text);

/** The value of a member; undefined when the form leaves it out. */
function toMember(values: readonly string[], member: Schema): unknown {
  const schema = toForm(member);
  const given = values.filter((value) => value !== '');
  if (schema !== member && given.length === 0) return undefined;
  if (schema.type === 'array' && isObject(schema.items)) return given.map(toItem);
  if (schema.type === 'array') {
    const items = given.flatMap((value) => toItems(value, schema.items as Schema));
    return schema.items?.type === 'integer' ? items.map(toInteger) : items;
  }
  const text = given[0];
  if (text === undefined) return undefined;
  if (isObject(schema)) return toItem(text);
  if (schema.type === 'boolean') return truths.has(text) ? true : text === 'false' ? false : text;
  if (schema.type === 'integer') return toInteger(text);
  // browsers end lines of a text area by CR LF (HTML, "constructing the entry list")
  return text.replaceAll('\r\n', '\n');
}

/** Fields of the interface itself, which are not part of a request: the token, and names that begin with `_`. */
function isOwnField(name: string): boolean {
  return name === 'csrf' || name.startsWith('_');
}

/** The wrong members of a body, by name, and the error of the first; no error for a sound body. */
function findWrong(
  route: ApiRoute,
  body: Readonly<Record<string, unknown>>,
  checks: Readonly<Record<string, Check>>,
): { readonly error: SvcError | undefined; readonly wrong: ReadonlyMap<string, SvcError> } {
  const wrong = new Map<string, SvcError>();
  const tries = (check: () => unknown): SvcError | undefined => {
    try {
      check();
      return undefined;
    } catch (error) {
      if (isSvcError(error)) return error;
      throw error;
    }
  };
  const { properties = {}, required = [], ...others } = route.body?.schema ?? {};
  const broken = tries(() => checkBody(route, body));
  for (const [name, member] of Object.entries(properties as Readonly<Record<string, Schema>>)) {
    const value = Object.hasOwn(body, name) ? { [name]: body[name] } : {};
    const alone = {
      ...others,
      properties: { [name]: member },
      required: required.filter((one) => one === name),
    };
    const given = body[name];
    const items = [given].flat().filter((item) => typeof item === 'string');
    const fault =
      (broken && tries(() => checkValue(value, alone, '', 'form'))) ??
      (given === undefined ? undefined : tries(() => checks[name]?.(items.join('\n'), items)));
    if (fault !== undefined) wrong.set(name, fault);
  }
  return { error: broken ?? wrong.values().next().value, wrong };
}

/**
 * Turns the fields of a form into the request of a route, and checks it as the API does. An empty field and an unticked
 * box leave the member out; the lines of a text area are the items of a list, or its keys in PEM. An
 * object, whether a member or an item of a list, is a field of its own, as JSON.
 *
 * @param params parameters of the form's own path; fields give the others
 * @param checks rules of the operation for members, by name
 * @throws SVC-VAL-001 naming the field, or the error of a check; every wrong field is noted beside the error of the first
 */
export function fieldsToRequest(
  route: ApiRoute,
  fields: Fields,
  params: Readonly<Record<string, string>>,
  checks: Readonly<Record<string, Check>> = {},
): MirroredRequest {
  const path: Record<string, string> = {};
  const query = new URLSearchParams();
  const body: Record<string, unknown> = {};
  const properties = (route.body?.schema.properties ?? {}) as Readonly<Record<string, Schema>>;
  const names = [...route.path.matchAll(/\{([a-z]+)\}/g)].map(([, name]) => name!);
  requireSingle(
    fields,
    (name) =>
      Object.hasOwn(route.query, name) ||
      (Object.hasOwn(properties, name) && toForm(properties[name]!).type === 'array'),
  );
  const missing = new Map<string, SvcError>();
  for (const name of names) {
    const value = params[name] ?? fieldOf(fields, name);
    if (value === undefined || value === '') missing.set(name, missingField(name));
    else path[name] = value;
  }
  for (const [sent, values] of fields) {
    if (isOwnField(sent)) continue;
    const exact = fromExactName(sent);
    const name = exact !== undefined && Object.hasOwn(properties, exact) ? exact : sent;
    if (name !== sent) {
      if (values.every((value) => value === '')) continue;
      if ((fieldOf(fields, name) ?? '') !== '') refuseTwice(name);
      body[name] = decodeExact(name, values[0]!);
      continue;
    }
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (schema !== undefined) {
      const member = toMember(values, schema);
      if (member !== undefined) body[name] = member;
    } else if (Object.hasOwn(route.query, name)) {
      for (const value of values) if (value !== '') query.append(name, value);
    } else if (!names.includes(name)) {
      const shown = name.slice(0, 64);
      throw svcError('SVC-VAL-001', {
        file: 'form',
        path: `/${shown}`,
        rule: rule(['is not a known member', fr`n’est pas un membre connu`]),
      });
    }
  }
  const asked = readSoundParameters(route.query, query);
  const { error, wrong } = findWrong(route, body, checks);
  const [first = error] = [...missing.values(), ...asked.wrong.values()];
  if (first !== undefined) throw noteFaults(first, new Map([...missing, ...asked.wrong, ...wrong]));
  return { path, query: asked.query, body };
}

/** Names of fields that must not be shown again. */
export function listSecrets(route: ApiRoute | undefined, named: readonly string[] = []): ReadonlySet<string> {
  const properties = (route?.body?.schema.properties ?? {}) as Readonly<Record<string, Schema>>;
  const passwords = Object.keys(properties).filter((name) => properties[name]!.format === 'password');
  const hidden = [...named, ...passwords];
  return new Set(['csrf', ...hidden, ...hidden.map(toExactName)]);
}
