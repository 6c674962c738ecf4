import { type RepositoryReference, withoutCredentials } from '../oci/reference.ts';
import { ConstraintError, isConstraint, parseConstraint } from '../recipe/constraint.ts';
import { svcError } from '../text/error.ts';
import { fr } from '../text/language.ts';
import { type Rule, rule } from '../text/rule.ts';

/** A chart of a classic chart repository. */
export interface ChartReference {
  /** URL of the repository, with a slash at its end. */
  readonly base: URL;
  readonly chart: string;
  /** An exact version or a constraint; absent: the highest release. */
  readonly version?: string;
  /** Host and path that name the chart when it is stored as an artifact. */
  readonly nominal: RepositoryReference;
}

const chartName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** Returns whether a text can be the name of a chart, which is also the name of its folder. */
export function isChartName(text: string): boolean {
  return chartName.test(text);
}
const longestVersion = 256;
/** Characters of a reference. */
const mostCharacters = 1024;
const tooLong = rule(['at most {mostCharacters} characters', fr`au plus {mostCharacters} caractères`], {
  mostCharacters,
});

/** Returns whether a text refers to a chart of a classic repository. */
export function isChartReference(text: string): boolean {
  return /^https?:/i.test(text);
}

/**
 * Reads the URL of a repository.
 *
 * @param shown name of the repository in errors
 * @throws SVC-REG-001 unless the URL is https, without user information, query or fragment
 */
export function parseChartRepository(text: string, shown: string = text): URL {
  const fail = (rule: Rule) =>
    svcError('SVC-REG-001', { reference: withoutCredentials(shown).slice(0, 512), rule });
  if (text.length > mostCharacters) throw fail(tooLong);
  if (!URL.canParse(text))
    throw fail(
      rule([
        'must be https://<host>/<path of the repository>',
        fr`doit être https://<hôte>/<chemin du dépôt>`,
      ]),
    );
  const base = new URL(text.endsWith('/') ? text : `${text}/`);
  if (base.protocol !== 'https:')
    throw fail(
      rule(['a chart repository is reached over https only', fr`un dépôt de charts n’est joint qu’en https`]),
    );
  if (base.username !== '' || base.password !== '')
    throw fail(
      rule([
        'no user information: credentials belong into registries.credentialsFile',
        fr`pas d’identifiants ici ; ils vont dans registries.credentialsFile`,
      ]),
    );
  if (base.search !== '' || base.hash !== '' || text.includes('?') || text.includes('#'))
    throw fail(rule(['no query and no fragment', fr`ni requête ni fragment`]));
  return base;
}

/**
 * Reads `https://<host>[:<port>]/<path>/<chart>[:<version>]`; the version may be a constraint.
 *
 * @throws SVC-REG-001
 */
export function parseChartReference(text: string): ChartReference {
  const fail = (rule: Rule) =>
    svcError('SVC-REG-001', { reference: withoutCredentials(text).slice(0, 512), rule });
  if (text.length > mostCharacters) throw fail(tooLong);
  const slash = text.lastIndexOf('/');
  if (slash < 'https://x'.length)
    throw fail(
      rule([
        'must be https://<host>/<path of the repository>/<chart>[:<version>]',
        fr`doit être https://<hôte>/<chemin du dépôt>/<chart>[:<version>]`,
      ]),
    );
  const last = text.slice(slash + 1);
  const colon = last.indexOf(':');
  const chart = colon < 0 ? last : last.slice(0, colon);
  const version = colon < 0 ? undefined : last.slice(colon + 1).trim();
  if (!isChartName(chart))
    throw fail(
      rule([
        'must end in the name of a chart, with or without a version',
        fr`doit finir par le nom d’un chart, avec ou sans version`,
      ]),
    );
  if (version !== undefined) requireVersion(version, fail);
  const base = parseChartRepository(text.slice(0, slash), text);
  const path = base.pathname.split('/').filter((segment) => segment !== '');
  return {
    base,
    chart,
    ...(version === undefined ? {} : { version }),
    nominal: { host: base.host, repository: [...path, chart].join('/') },
  };
}

function requireVersion(version: string, fail: (rule: Rule) => Error): void {
  if (version === '' || version.length > longestVersion)
    throw fail(
      rule(
        [
          'the version has 1 to {longestVersion} characters',
          fr`la version a de 1 à {longestVersion} caractères`,
        ],
        { longestVersion },
      ),
    );
  if (!isConstraint(version)) return;
  try {
    parseConstraint(version);
  } catch (error) {
    throw error instanceof ConstraintError ? fail(error.rule) : error;
  }
}

/** Formats the name of a chart for messages and tasks. */
export function formatChartReference({ base, chart }: ChartReference, version?: string): string {
  return `${base.href}${chart}${version === undefined ? '' : `:${version}`}`;
}
