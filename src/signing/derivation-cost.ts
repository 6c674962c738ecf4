import { fr } from '../text/language.ts';
import { rule } from '../text/rule.ts';
import { KeyProblemError } from './key-problem.ts';

/** Parameters of scrypt (RFC 7914, section 2). */
export interface ScryptCost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

// A key file may come from anywhere. Costs of cosign: N 65 536, r 8, p 1; of openssl: 2 048 iterations, or N 16 384, r
// 8, p 1. These limits are at least eight times as high. A derivation within them ends within some seconds.
const maxMemory = 256 << 20;
const maxWork = 1 << 23;
const maxIterations = 5_000_000;
/** Memory that OpenSSL allows scrypt in a PKCS #8 key; beyond it, it fails as with a wrong password. */
export const opensslMemory: number = 32 << 20;

/** Bytes that scrypt needs. */
export const toScryptMemory = ({ N, r, p }: ScryptCost): number => 128 * r * (N + p + 2);

/**
 * Refuses scrypt parameters before anything is spent on them.
 *
 * @param memory bytes that may be used
 * @throws KeyProblemError
 */
export function requireScryptCost(cost: ScryptCost, memory: number = maxMemory): void {
  const { N, r, p } = cost;
  const isWhole = [N, r, p].every((value) => Number.isSafeInteger(value) && value > 0);
  const isPower = isWhole && N > 1 && N <= 2 ** 30 && (N & (N - 1)) === 0;
  if (!isPower || r > 1024 || p > 1024 || toScryptMemory(cost) > memory || N * r * p > maxWork)
    throw new KeyProblemError(
      'cost',
      rule(['scrypt with N {N}, r {r}, p {p}', fr`scrypt avec N {N}, r {r}, p {p}`], { N, r, p }),
    );
}

/** As `requireScryptCost`, for PBKDF2. @throws KeyProblemError */
export function requireIterations(iterations: number): void {
  if (iterations < 1 || iterations > maxIterations)
    throw new KeyProblemError(
      'cost',
      rule(['PBKDF2 with {iterations} iterations', fr`PBKDF2 avec {iterations} itérations`], { iterations }),
    );
}
