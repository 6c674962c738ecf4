import { canonicalHost, parseReference, type Reference } from '../../oci/reference.ts';
import { isSvcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { type Rule, rule } from '../../text/rule.ts';
import { textParam } from '../../text/text-param.ts';

/** The outcome of reading the name of an image: a reference, or the rule that the name breaks. */
type ImageName = { readonly reference: Reference } | { readonly rule: Rule };

const longest = 1024;
const transports = ['docker://', 'oci://'];

/**
 * Reads the name of an image as container engines do: without a host it belongs to docker.io, and there without a path to
 * `library`. Only the readers of foreign documents add these; the engine never does.
 */
export function readImageName(text: string): ImageName {
  if (text.length > longest)
    return { rule: rule(['at most {longest} characters', fr`au plus {longest} caractères`], { longest }) };
  if (!/^[\x21-\x7e]+$/.test(text))
    return {
      rule: rule([
        'must be the name of an image, in ASCII without spaces',
        fr`doit être le nom d’une image, en ASCII sans espaces`,
      ]),
    };
  const scheme = transports.find((each) => text.startsWith(each)) ?? '';
  const bare = text.slice(scheme.length);
  const slash = bare.indexOf('/');
  const first = slash < 0 ? '' : bare.slice(0, slash);
  const hasHost = /[.:]/.test(first) || first === 'localhost' || first.toLowerCase() !== first;
  const named = hasHost ? bare : `docker.io/${bare}`;
  try {
    const reference = parseReference(named);
    const host = canonicalHost(reference.host);
    const isShort = host === 'docker.io' && !reference.repository.includes('/');
    const repository = isShort ? `library/${reference.repository}` : reference.repository;
    return { reference: { ...reference, host, repository } };
  } catch (error) {
    if (!isSvcError(error, 'SVC-REG-001')) throw error;
    return { rule: textParam(error, 'rule') as Rule };
  }
}

/**
 * Returns whether a text is certainly the name of an image. It has a host with a dot or a port, a path, and a tag or a
 * digest. For places where any text may stand.
 */
export function isCertainImage(text: string): boolean {
  if (text.length > 512 || !text.includes('/') || /[\s=,;'"(){}\\]|:\/\//.test(text)) return false;
  const host = text.slice(0, text.indexOf('/'));
  if (!/^[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*(?::[0-9]+)?$/.test(host) || !/[.:]/.test(host)) return false;
  const name = readImageName(text);
  return 'reference' in name && (name.reference.tag !== undefined || name.reference.digest !== undefined);
}

/** Files that are called images, and are none of containers. */
const picture = /\.(?:png|jpe?g|svg|gif|webp|ico|iso|img|qcow2|raw|vmdk|vhdx?|ova)$/i;

/** Returns whether a text in a member called an image is a name. It has a tag or a digest, or a host and a path. */
export function isMeantAsImage(text: string): boolean {
  if (text.length > 512 || text.replace(/^docker:\/\//, '').includes('://') || picture.test(text))
    return false;
  const name = readImageName(text);
  if (!('reference' in name)) return false;
  const { tag, digest } = name.reference;
  return tag !== undefined || digest !== undefined || /^[^/]*\.[^/]*\//.test(text);
}

/**
 * Returns whether any text looks like the name of an image, also in the short form of Docker Hub: `team/app:v1`,
 * `redis:7.2`. A number alone after the colon may be a port.
 */
export function isLikelyImage(text: string): boolean {
  if (isCertainImage(text)) return true;
  const [, path, tag = ''] = /^([a-z][a-z0-9._/-]*):([A-Za-z0-9_][A-Za-z0-9_.-]*)$/.exec(text) ?? [];
  if (path === undefined || !isMeantAsImage(text)) return false;
  const hasVersion = /^v?[0-9]+(?:\.[0-9]+)+(?:[-_.][A-Za-z0-9_.-]*)?$/.test(tag);
  if (!path.includes('/')) return hasVersion;
  return !/^[0-9]{3,5}$/.test(tag) && /[0-9]|^(?:latest|stable|edge|nightly|main)$/.test(tag);
}
