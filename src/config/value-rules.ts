import { isIP } from 'node:net';
import { isAbsolute } from 'node:path';
import { isHost, isRepositoryName, parseReference } from '../oci/reference.ts';
import { SvcError } from '../text/error.ts';
import { fr } from '../text/language.ts';
import { type Rule, rule } from '../text/rule.ts';
import { atMostCharacters } from './value-type.ts';

/**
 * Rules on one well-formed value. Each returns the broken rule, or undefined; none repeats the value, a possible
 * secret.
 */

export function checkRepositoryPath(value: string): Rule | undefined {
  return isRepositoryName(value)
    ? undefined
    : rule([
        'must be a repository path: lower-case segments joined by /, at most 255 characters',
        fr`doit être un chemin de dépôt : segments en minuscules séparés par /, au plus 255 caractères`,
      ]);
}

export function checkBareHost(value: string): Rule | undefined {
  return isHost(value.toLowerCase())
    ? undefined
    : rule([
        'must be a bare host[:port], without scheme, user or path',
        fr`doit être un simple hôte[:port], sans schéma, utilisateur ni chemin`,
      ]);
}

export function checkProxyUrl(value: string): Rule | undefined {
  const parsed = URL.parse(value);
  if (parsed === null || !/^https?:\/\//i.test(value))
    return rule([
      'must be an http:// or https:// URL with a host',
      fr`doit être une URL http:// ou https:// avec un hôte`,
    ]);
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:')
    return rule(['must be an http:// or https:// URL', fr`doit être une URL http:// ou https://`]);
  if (parsed.hostname === '') return rule(['must name a host', fr`doit nommer un hôte`]);
  if (parsed.username !== '' || parsed.password !== '' || /^[a-z]+:\/\/[^/?#]*@/i.test(value)) {
    return rule([
      'must not contain credentials: use network.proxy.username and network.proxy.password',
      fr`ne doit pas contenir d’identifiants : utilisez network.proxy.username et network.proxy.password`,
    ]);
  }
  if (parsed.pathname !== '/' || parsed.search !== '' || parsed.hash !== '') {
    return rule(['must be scheme, host and port only', fr`ne doit comporter que schéma, hôte et port`]);
  }
  return undefined;
}

export function checkRetrieverSource(value: string): Rule | undefined {
  const form = rule([
    'must be an absolute path, https://<host>/<path> or oci://<registry>/<repository>:<tag>',
    fr`doit être un chemin absolu, https://<hôte>/<chemin> ou oci://<registre>/<dépôt>:<étiquette>`,
  ]);
  if (/^oci:\/\//i.test(value)) {
    try {
      const reference = parseReference(value.slice('oci://'.length));
      if (reference.tag === undefined)
        return rule([
          'an oci:// reference must name a tag',
          fr`une référence oci:// doit nommer une étiquette`,
        ]);
      return reference.digest === undefined
        ? undefined
        : rule([
            'an oci:// reference must name a tag, not a digest',
            fr`une référence oci:// doit nommer une étiquette, pas une empreinte`,
          ]);
    } catch (error) {
      return error instanceof SvcError
        ? rule(['{form}: {rule}', fr`{form} : {rule}`], {
            form,
            rule: error.rules.rule ?? String(error.params.rule),
          })
        : form;
    }
  }
  if (/^[a-z][a-z0-9+.-]*:/i.test(value)) return checkHttpsUrl(value) ?? undefined;
  return isAbsolute(value) ? undefined : form;
}

export function checkHttpsUrl(value: string): Rule | undefined {
  const parsed = URL.parse(value);
  if (parsed === null || parsed.protocol !== 'https:' || parsed.hostname === '') {
    return rule(['must be an https:// URL with a host', fr`doit être une URL https:// avec un hôte`]);
  }
  return parsed.username === '' && parsed.password === ''
    ? undefined
    : rule(['must not contain credentials in the URL', fr`ne doit pas contenir d’identifiants dans l’URL`]);
}

/** Accepts scheme, host and port of an address that clients use. */
export function checkPublicUrl(value: string): Rule | undefined {
  const [, host = ''] = /^https?:\/\/([^/]*)\/?$/.exec(value) ?? [];
  return isHost(host.toLowerCase())
    ? undefined
    : rule([
        'must be http:// or https:// with a host and no path, such as https://instance.example',
        fr`doit être http:// ou https:// avec un hôte et sans chemin, par exemple https://instance.example`,
      ]);
}

/** Accepts a name or an address of the generated certificate. */
export function checkCertificateHost(value: string): Rule | undefined {
  if (isIP(value) !== 0) return undefined;
  const bare = value.startsWith('*.') ? value.slice(2) : value;
  return isHost(bare.toLowerCase()) && !bare.includes(':')
    ? undefined
    : rule(['must be a host name or an IP address', fr`doit être un nom d’hôte ou une adresse IP`]);
}

/** Accepts an IP address or a CIDR block (RFC 4632, RFC 4291). */
export function checkAddressBlock(value: string): Rule | undefined {
  const form = rule([
    'must be an IP address or a CIDR block, such as 192.0.2.1 or 10.0.0.0/8',
    fr`doit être une adresse IP ou un bloc CIDR, par exemple 192.0.2.1 ou 10.0.0.0/8`,
  ]);
  const [address = '', bits, ...rest] = value.split('/');
  const version = isIP(address);
  if (version === 0 || address.includes('%') || rest.length > 0) return form;
  if (bits === undefined) return undefined;
  return /^[0-9]{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128) ? undefined : form;
}

/** Accepts `*`, an address, a CIDR block, `.suffix` or a host with or without port. */
export function checkNoProxy(value: string): Rule | undefined {
  const form = rule([
    'must be a host, .suffix, CIDR block or *',
    fr`doit être un hôte, un .suffixe, un bloc CIDR ou *`,
  ]);
  if (value === '*' || isIP(value) !== 0) return undefined;
  if (value.includes('/')) return checkAddressBlock(value) === undefined ? undefined : form;
  return isHost(value.replace(/^\./, '').toLowerCase()) ? undefined : form;
}

/** Accepts a glob over `host[:port]`. */
export function checkHostPattern(value: string): Rule | undefined {
  if (value.includes('/'))
    return rule([
      'must be a host pattern without scheme or path',
      fr`doit être un motif d’hôte sans schéma ni chemin`,
    ]);
  if (value.length > 260) return atMostCharacters(260);
  if (/^\[[0-9a-fA-F:.]+\](?::[0-9]{1,5})?$/.test(value) || isIP(value) !== 0) return undefined;
  // part of a name or of an address
  return ['x', '1'].some((part) => isHost(value.toLowerCase().replaceAll('*', part)))
    ? undefined
    : rule([
        'must be a host pattern: a host[:port] in which * matches part of a label and ** several labels',
        fr`doit être un motif d’hôte : un hôte[:port] où * remplace une partie d’un label et ** plusieurs labels`,
      ]);
}

/** Accepts `host[:port][/path]`. */
export function checkSubstitutionBase(value: string): Rule | undefined {
  const slash = value.indexOf('/');
  const host = slash < 0 ? value : value.slice(0, slash);
  const rest = slash < 0 ? undefined : value.slice(slash + 1);
  return isHost(host.toLowerCase()) && (rest === undefined || isRepositoryName(rest))
    ? undefined
    : rule([
        'must be host[:port] or host[:port]/path, without scheme',
        fr`doit être hôte[:port] ou hôte[:port]/chemin, sans schéma`,
      ]);
}

/** Accepts a glob over a repository path that starts with its host; refuses one that no path can match. */
export function checkRepositoryGlob(value: string): Rule | undefined {
  if (value.length > 512) return atMostCharacters(512);
  if (value.includes(':'))
    return rule([
      'must be a glob over a path: the : of a port is written _',
      fr`doit être un motif de chemin où le : d’un port s’écrit _`,
    ]);
  const segments = value.split('/');
  if (segments.includes(''))
    return rule([
      'must be a glob over <host>/<path>: an empty segment matches nothing',
      fr`doit être un motif sur <hôte>/<chemin> : un segment vide ne correspond à rien`,
    ]);
  if (/[A-Z]/.test(value))
    return rule([
      'must be in lower case: hosts and paths are compared in lower case',
      fr`doit être en minuscules : les hôtes et les chemins sont comparés en minuscules`,
    ]);
  if (value.includes('..'))
    return rule([
      'must be a glob over <host>/<path>: no name contains ..',
      fr`doit être un motif sur <hôte>/<chemin> : aucun nom ne contient ..`,
    ]);
  const clean = segments.every((segment) => /^[a-z0-9._*-]+$/.test(segment) && segment !== '.');
  return clean
    ? undefined
    : rule([
        'must be a glob over <host>/<path>: segments of letters, digits, . _ - and *',
        fr`doit être un motif de <hôte>/<chemin>, en segments de lettres, chiffres, . _ - et *`,
      ]);
}

/** Other names of Docker Hub. The nominal path of a recipe never has them. */
const dockerAliases = ['index.docker.io', 'registry-1.docker.io'];

/** Accepts a glob over the nominal path of a recipe, which has a host and a path. */
export function checkScopeGlob(value: string): Rule | undefined {
  const broken = checkRepositoryGlob(value);
  if (broken !== undefined) return broken;
  if (!value.includes('/') && !value.includes('**'))
    return rule([
      'must be a glob over <host>/<path>: a host alone matches nothing, write <host>/**',
      fr`doit être un motif sur <hôte>/<chemin> : un hôte seul ne correspond à rien, écrivez <hôte>/**`,
    ]);
  const alias = dockerAliases.find((host) => value.startsWith(`${host}/`));
  return alias === undefined
    ? undefined
    : rule(['must name docker.io instead of {alias}', fr`doit nommer docker.io au lieu de {alias}`], {
        alias,
      });
}

/** Accepts an inline public key. */
export function checkPublicKey(value: string): Rule | undefined {
  if (/PRIVATE KEY/.test(value))
    return rule([
      'must be a public key; this is a private one: treat it as exposed',
      fr`doit être une clé publique ; celle-ci est privée : considérez-la comme exposée`,
    ]);
  return /-----BEGIN [A-Z ]*PUBLIC KEY-----/.test(value)
    ? undefined
    : rule([
        'must be a PEM public key (-----BEGIN PUBLIC KEY-----)',
        fr`doit être une clé publique PEM (-----BEGIN PUBLIC KEY-----)`,
      ]);
}
