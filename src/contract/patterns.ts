import { fr } from '../text/language.ts';
import { rule } from '../text/rule.ts';
import { refusedAs, type Schema, text, worded } from './schema.ts';

// Written without lookaround, which generators of test data do not know.
const label = '[a-z0-9](?:[a-z0-9-]*[a-z0-9])?';
const port = ':[1-9][0-9]{0,4}';
const qualifiedHost = `(?:(?:localhost|${label}(?:\\.${label})+)(?:${port})?|${label}${port})`;
const segment = '[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*';
const tag = '[A-Za-z0-9_][A-Za-z0-9._-]{0,127}';
const digest = 'sha(?:256:[0-9a-f]{64}|512:[0-9a-f]{128})';

const whole = (pattern: string, maxLength: number): Schema<string> =>
  text({ minLength: 1, maxLength, pattern: `^${pattern}$` });

/** A tag, as the OCI distribution specification defines it. */
export const tagText = whole(tag, 128);

/** A repository. */
export const repositoryText = whole(`${segment}(?:/${segment})*`, 255);

/** The name of a tree of files: a repository of one segment. */
export const filesetName = whole(segment, 128);

/** The name of a zone, which is that of its Retriever. */
export const zoneName = refusedAs('SVC-VAL-001', whole(segment, 63));

const platform = '[a-z0-9][a-z0-9_.-]{0,62}';

/** A platform, as `parsePlatform` reads it. */
export const platformText = worded(
  rule([
    'must be os/arch[/variant], such as linux/amd64',
    fr`doit être os/arch[/variante], par exemple linux/amd64`,
  ]),
  whole(`${platform}(?:/${platform}){1,2}`, 191),
);

/** Where a recipe is published: host, cookbook, name and version. */
export const recipePlace = refusedAs(
  'SVC-REG-001',
  whole(`${qualifiedHost}(?:/${segment}){2,}:${tag}`, 1024),
);

/** An artifact of a registry, with a tag or a digest; or a chart of a classic repository. */
export const importReference = refusedAs(
  'SVC-REG-001',
  whole(
    `\\s*(?:(?:[oO][cC][iI]://)?${qualifiedHost}(?:/${segment})+(?::[A-Za-z0-9_][A-Za-z0-9._+-]{0,127})?(?:@${digest})?|[hH][tT][tT][pP][sS]://[^/\\s]+/\\S+)\\s*`,
    1024,
  ),
);

/** A host with an optional scheme and port, by which nodes reach a registry. */
export const registryAddress = refusedAs(
  'SVC-VAL-001',
  whole(`(?:https?://)?${label}(?:\\.${label})*(?:${port})?`, 270),
);

/** A duration in the notation of the configuration: `0`, `15m`, `1h30m`. */
export const durationText = refusedAs(
  'SVC-VAL-001',
  whole('\\s*(?:0|(?:[0-9]+(?:\\.[0-9]+)?(?:ms|s|m|h|d))+)\\s*', 32),
);

/** Identifier of a task. */
export const taskId = text({ pattern: '^tsk_[0-9a-f]{12}$' });
/** Identifier of a delivery on several disks. */
export const deliveryId = worded(
  rule([
    'must be the identifier of a delivery, such as dlv_48d77967b98f',
    fr`doit être l’identifiant d’une livraison, par exemple dlv_48d77967b98f`,
  ]),
  text({ pattern: '^dlv_[0-9a-f]{12}$' }),
);

/** Name of an account or a token. */
export const accountName = refusedAs('SVC-AUTH-008', text({ pattern: '^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$' }));

/** Absolute path on the host of the instance. */
export const hostPath = refusedAs(
  'SVC-FIL-003',
  text({ minLength: 1, maxLength: 4096, pattern: '^/[^\\u0000]*$' }),
);

const month = '(?:0[1-9]|1[0-2])';
const day = '(?:0[1-9]|[12][0-9]|3[01])';
const clock = '(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\\.[0-9]{1,9})?Z';

/** A day, or a time in UTC. */
export const dayOrTime = worded(
  rule([
    'must be a day or a time in UTC, such as 2026-01-31 or 2026-01-31T12:00:00Z',
    fr`doit être un jour ou une heure UTC, par exemple 2026-01-31 ou 2026-01-31T12:00:00Z`,
  ]),
  whole(`[0-9]{4}-${month}-${day}(?:T${clock})?`, 32),
);
