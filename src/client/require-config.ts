import { isJsonObject } from '../base/json/json-object.ts';
import type { ClientConfig, ClientFile } from '../contract/recipe.ts';
import { isLoopbackHost } from '../oci/reference.ts';
import { isSvcError, svcError } from '../text/error.ts';
import { escapeText } from '../text/escape.ts';
import { fr } from '../text/language.ts';
import { type Rule, rule } from '../text/rule.ts';
import { type ClientFacts, type ClientKind, fileClients } from './model.ts';
import type { RegistryBase } from './node-mirrors.ts';
import { readFacts } from './read-facts.ts';
import { madeBy, renderClientConfig } from './render-client-config.ts';

/** Files of a configuration, and characters of all of them. */
const configLimits = { files: 4096, characters: 33_554_432 } as const;

/** Names of files and folders as `renderClientConfig` makes them: hosts with ports among them. */
const safeName = /^[A-Za-z0-9_[][A-Za-z0-9._+:~[\]-]{0,254}$/;

/** Whether a terminal shows a text unchanged, line breaks and tabs aside: without controls and marks of direction. */
const isPlain = (text: string): boolean => {
  const line = text.replace(/[\n\t]/g, '');
  return escapeText(line) === line;
};

/** Whether two addresses are one place. This machine by one port is one place under each of its usual names. */
export function isSamePlace(a: RegistryBase, b: RegistryBase): boolean {
  const [one, other] = [a, b].map(({ scheme, host }) => URL.parse(`${scheme}://${host}`));
  if (one == null || other == null) return false;
  if (one.protocol !== other.protocol || one.port !== other.port) return false;
  return one.hostname === other.hostname || (isThisMachine(one.hostname) && isThisMachine(other.hostname));
}

/** 127.0.0.2 and its like are other places: something else may listen there. */
const isThisMachine = (host: string): boolean =>
  isLoopbackHost(host) && (!host.startsWith('127.') || host === '127.0.0.1');

const notOfThisVersion = rule([
  'must be what this version of svc makes',
  fr`doit être ce que fait cette version de svc`,
]);

/**
 * Makes the files again from the values in them, so that an instance chooses values, and this program their meaning.
 */
function renderAgain(
  given: ClientConfig,
  places: readonly RegistryBase[],
  refuse: (path: string, broken: Rule) => Error,
): ClientConfig {
  const { client, zone, revision, files } = given;
  const nowhere = { scheme: 'https', host: 'localhost' } as const;
  const facts: ClientFacts = {
    ...(zone === undefined ? {} : { zone }),
    ...{ revision, registry: nowhere, instance: nowhere },
    ...{ redirections: [], references: [], filesets: [], views: [] },
    ...readFacts(client, files),
  };
  let made: ClientConfig;
  try {
    made = renderClientConfig(client, facts);
  } catch (error) {
    if (isSvcError(error)) throw refuse('files', notOfThisVersion);
    throw error;
  }
  for (const [i, { path, content, mode }] of files.entries()) {
    const own = made.files.find((file) => file.path === path);
    if (own === undefined)
      throw refuse(
        `files[${i}].path`,
        rule(['must be a file of {client}', fr`doit être un fichier de {client}`], { client }),
      );
    if (own.content !== content || own.mode !== mode) throw refuse(`files[${i}].content`, notOfThisVersion);
  }
  if (made.files.length !== files.length) throw refuse('files', notOfThisVersion);
  const { instance } = facts;
  if (fileClients.has(client) && facts.filesets.length + facts.views.length > 0)
    if (!places.some((place) => isSamePlace(place, instance)))
      throw refuse(
        `${instance.scheme}://${instance.host}`,
        rule([
          'must be the instance that was asked, or the address of --registry; server.publicURL of the instance says how clients reach it',
          fr`doit être l’instance interrogée, ou l’adresse de --registry ; server.publicURL de l’instance dit comment les clients l’atteignent`,
        ]),
      );
  return made;
}

/**
 * Requires that an answer is a configuration of a client as an instance makes it: a terminal or another program reads
 * it. The instance is untrusted: the result is made here, from the values of the answer.
 *
 * @param from names the instance in errors
 * @param places addresses that the operator gave, one of which the files of helm, apt and dnf lead to
 * @throws SVC-VAL-001, SVC-VAL-002 for more than `configLimits`
 */
export function requireClientConfig(
  answer: unknown,
  client: ClientKind,
  { from, places }: { readonly from: string; readonly places: readonly RegistryBase[] },
): ClientConfig {
  const refuse = (path: string, broken: Rule) => svcError('SVC-VAL-001', { file: from, path, rule: broken });
  if (!isJsonObject(answer)) throw refuse('', rule(['must be an object', fr`doit être un objet`]));
  const { directory, zone, revision, files } = answer;
  if (answer.client !== client)
    throw refuse('client', rule(['must be {client}', fr`doit être {client}`], { client }));
  for (const [name, value] of Object.entries({ directory, revision, zone: zone ?? '' }))
    if (typeof value !== 'string' || value.length > 256 || /\s/.test(value) || !isPlain(value))
      throw refuse(
        name,
        rule([
          'must be one line of printable characters',
          fr`doit être une seule ligne de caractères imprimables`,
        ]),
      );
  if (!Array.isArray(files)) throw refuse('files', rule(['must be a list', fr`doit être une liste`]));
  if (files.length > configLimits.files)
    throw svcError('SVC-VAL-002', {
      limit: rule(['{n} files', fr`{n} fichiers`], { n: configLimits.files }),
      file: from,
    });
  let characters = 0;
  const seen = new Set<string>();
  const read = files.map((file: unknown, i): ClientFile => {
    const at = `files[${i}]`;
    if (!isJsonObject(file)) throw refuse(at, rule(['must be an object', fr`doit être un objet`]));
    const { path, content, mode } = file;
    if (
      typeof path !== 'string' ||
      path.length > 1024 ||
      !path.split('/').every((name) => safeName.test(name))
    )
      throw refuse(
        `${at}.path`,
        rule([
          'must be a path of plain names below the folder',
          fr`doit être un chemin de noms simples sous le dossier`,
        ]),
      );
    if (seen.has(path)) throw refuse(`${at}.path`, rule(['is given twice', fr`est donné deux fois`]));
    seen.add(path);
    if (typeof content !== 'string' || !content.startsWith(madeBy))
      throw refuse(
        `${at}.content`,
        rule([
          'must begin with the heading of a generated file',
          fr`doit commencer par l’en-tête d’un fichier généré`,
        ]),
      );
    characters += content.length;
    if (characters > configLimits.characters)
      throw svcError('SVC-VAL-002', { limit: configLimits.characters, file: from });
    if (!isPlain(content))
      throw refuse(
        `${at}.content`,
        rule(['must have printable characters only', fr`ne doit avoir que des caractères imprimables`]),
      );
    if (mode !== undefined && mode !== '0600')
      throw refuse(`${at}.mode`, rule(['must be 0600', fr`doit être 0600`]));
    return { path, content, ...(mode === undefined ? {} : { mode }) };
  });
  for (const path of seen)
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1))
      if (seen.has(path.slice(0, at)))
        throw refuse(
          'files',
          rule([
            'must not name a file as a folder too',
            fr`ne doit pas nommer un fichier aussi comme dossier`,
          ]),
        );
  if (!/^[0-9a-f]{12}$/.test(revision as string))
    throw refuse('revision', rule(['must be 12 hexadecimal digits', fr`doit être 12 chiffres hexadécimaux`]));
  const given = {
    client,
    directory: directory as string,
    ...(zone === undefined ? {} : { zone: zone as string }),
    revision: revision as string,
    files: read,
  };
  return renderAgain(given, places, refuse);
}
