import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';
import type { Finding } from './model.ts';

/** A rule of the format says nothing without its member: `is required`. Other findings name the ingredient. */
export function withMember(finding: Finding): Finding {
  const { path, params } = finding;
  if (finding.rule !== 'format' || path === '') return finding;
  const broken = rule(['{path} {broken}', fr`{path} {broken}`], { path, broken: params.broken });
  return { ...finding, params: { ...params, broken } };
}
