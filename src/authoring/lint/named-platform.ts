import { formatPlatform } from '../../oci/platform.ts';
import { type Finding, ingredientPath, type PureRule } from './model.ts';

const architecture =
  /(?:^|[-_/.])(amd64|x86[-_]64|arm64(?:v8)?|aarch64|arm32v[5-7]|armhf|i386|ppc64le|s390x|riscv64)(?:$|[-_/.])/i;

/** An image that is named after one architecture has only that one, so that it cannot have several platforms. */
export const namedPlatform: PureRule = function* ({ ingredients }): Generator<Finding> {
  for (const [position, { name, kind, ref, version, platforms }] of ingredients.entries()) {
    if (kind !== 'ContainerImage' || platforms.length < 2) continue;
    const [, found] = architecture.exec(version) ?? architecture.exec(ref.repository) ?? [];
    if (found === undefined) continue;
    yield {
      rule: 'single-platform',
      severity: 'warning',
      path: ingredientPath(position, 'platforms'),
      params: { name, available: found, asked: platforms.map(formatPlatform).join(', ') },
    };
  }
};
