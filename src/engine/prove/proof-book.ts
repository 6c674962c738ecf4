import type { MediumProof, ProofFinding, ProofStep } from '../../contract/proof.ts';
import { fromErrorRecord, type SvcError, toErrorRecord, toStoredRules } from '../../text/error.ts';
import { renderError } from '../../text/message.ts';
import { maxFindings } from '../medium/report.ts';
import { type ProofLimit, proofLimits } from './limits.ts';

/** Steps whose errors mean that content does not land. Errors of the others mean that something is absent. */
const landing: ReadonlySet<ProofStep> = new Set(['media', 'trust', 'import', 'capacity']);

/** How much a step looked at. */
export interface StepCount {
  readonly checked: number;
  /** Bytes. */
  readonly bytes: number;
}

/** Collects the steps and findings of one proof. */
export class ProofBook {
  readonly #host: string;
  readonly #onStep: (name: ProofStep) => void;
  readonly #steps = new Map<ProofStep, StepCount & { readonly milliseconds: number }>();
  readonly #findings: { readonly error: ProofFinding[]; readonly warning: ProofFinding[] } = {
    error: [],
    warning: [],
  };

  /**
   * @param host of the assumed registry: findings leave it out of their names, as no zone has it
   * @param onStep is called when a step that is measured begins
   */
  constructor(host: string, onStep: (name: ProofStep) => void = () => {}) {
    this.#host = host;
    this.#onStep = onStep;
  }

  /** Whether a step has an error. */
  get isRefused(): boolean {
    return this.#findings.error.some(({ step }) => landing.has(step));
  }

  /** Adds to a step, in milliseconds. */
  add(name: ProofStep, { checked, bytes }: StepCount, milliseconds: number): void {
    const before = this.#steps.get(name) ?? { checked: 0, bytes: 0, milliseconds: 0 };
    this.#steps.set(name, {
      checked: before.checked + checked,
      bytes: before.bytes + bytes,
      milliseconds: before.milliseconds + milliseconds,
    });
  }

  /** Does the work of a step and measures its time. */
  async measure(name: ProofStep, work: () => Promise<StepCount>): Promise<void> {
    const begun = performance.now();
    this.#onStep(name);
    const count = await work();
    this.add(name, count, performance.now() - begun);
  }

  /** @param subject names the content at fault */
  find(step: ProofStep, severity: ProofFinding['severity'], subject: string, error: SvcError): void {
    const found = this.#findings[severity];
    if (found.length >= maxFindings) return;
    const named = toNamed(error, this.#host);
    const { rules } = toStoredRules(named);
    const { code, params } = named;
    const { what, action } = renderError(named, 'en');
    found.push({
      step,
      code,
      severity,
      subject: withoutHost(subject, this.#host),
      detail: what,
      remedy: action,
      params,
      ...(rules === undefined ? {} : { rules }),
    });
  }

  /** Notes a finding that several folders may show: once for its code and subject. @param subject as in `find` */
  findOnce(step: ProofStep, severity: ProofFinding['severity'], subject: string, error: SvcError): void {
    const isSame = (one: ProofFinding) =>
      one.code === error.code && one.subject === withoutHost(subject, this.#host);
    if (!this.#findings[severity].some(isSame)) this.find(step, severity, subject, error);
  }

  /** @param options `strict`: a warning counts like an error */
  conclude(
    against: MediumProof['against'],
    limits: readonly ProofLimit[],
    { strict }: { readonly strict: boolean },
  ): MediumProof {
    const { error, warning } = this.#findings;
    const counted = strict ? error.length + warning.length : error.length;
    return {
      verdict: this.isRefused ? 'refused' : counted > 0 ? 'incomplete' : 'proved',
      against,
      steps: [...this.#steps].map(([name, { milliseconds, ...count }]) => ({
        name,
        ...count,
        milliseconds: Math.round(milliseconds),
      })),
      findings: [...error, ...warning].slice(0, maxFindings),
      limits: limits.map((name) => ({ name, detail: proofLimits[name][0] })),
    };
  }
}

const withoutHost = (text: string, host: string): string => text.replaceAll(`${host}/`, '');

/** The error with the names of content alone. */
function toNamed(error: SvcError, host: string): SvcError {
  const reference = error.params.reference;
  if (typeof reference !== 'string' || !reference.includes(host)) return error;
  const params = { ...error.params, reference: withoutHost(reference, host) };
  return fromErrorRecord({ ...toErrorRecord(error), params });
}
