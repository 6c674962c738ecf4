import type { DescriptorPlatform } from './descriptor.ts';

/** `os/arch[/variant]` in its canonical form: `arm64/v8` is `arm64`, `arm/v7` is `arm`. */
export interface Platform {
  readonly os: string;
  readonly architecture: string;
  readonly variant?: string;
}

const component = /^[a-z0-9][a-z0-9_.-]{0,62}$/;

function canonical(os: string, architecture: string, variant: string | undefined): Platform {
  const implied =
    (architecture === 'arm64' && variant === 'v8') || (architecture === 'arm' && variant === 'v7');
  return variant === undefined || variant === '' || implied
    ? { os, architecture }
    : { os, architecture, variant };
}

/** @returns undefined when `text` is not `os/arch[/variant]` */
export function parsePlatform(text: string): Platform | undefined {
  const parts = text.split('/');
  if (parts.length < 2 || parts.length > 3 || !parts.every((part) => component.test(part))) return undefined;
  return canonical(parts[0]!, parts[1]!, parts[2]);
}

/** Returns the platform of a descriptor or an image config in canonical form. */
export function toPlatform(from: Pick<DescriptorPlatform, 'os' | 'architecture' | 'variant'>): Platform {
  return canonical(from.os, from.architecture, from.variant);
}

export function formatPlatform(platform: Platform): string {
  const { os, architecture, variant } = platform;
  return variant === undefined ? `${os}/${architecture}` : `${os}/${architecture}/${variant}`;
}

/** Returns whether two platforms are equal; neither is a wildcard. */
export function isSamePlatform(a: Platform, b: Platform): boolean {
  return a.os === b.os && a.architecture === b.architecture && a.variant === b.variant;
}
