import {
  chmodSync,
  closeSync,
  fsyncSync,
  globSync,
  mkdirSync,
  openSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Signer } from '../../src/signing/signer.ts';
import { type Architecture, architectures } from './arch.ts';
import { listBundled, toBill } from './bill/to-bill.ts';
import { packChart, toChartArtifact } from './chart.ts';
import { hashAll } from './hash-all.ts';
import { makeImage } from './image.ts';
import { type Artifact, writeLayout } from './oci-content.ts';
import { toDeb } from './packages/deb.ts';
import { listPackageFiles, type PackageFile } from './packages/package-files.ts';
import { indexDebs, indexRpms, linkFiles } from './packages/repositories.ts';
import { makeRpm, rpmFileName } from './packages/rpm.ts';
import { embedded, type MakePrograms } from './program.ts';
import { toProvenance } from './provenance.ts';
import { packFileset, type ReleasedIngredient, toRecipeContent, toReleaseRecipe } from './recipe.ts';
import { approve, signRecipe, signStatement } from './sign.ts';
import type { Source } from './source.ts';
import { toPackageVersion } from './version.ts';

export interface ReleaseInput {
  readonly source: Source;
  /** Processors, each once. */
  readonly platforms: readonly Architecture[];
  /** Folder of the pinned Debian packages. */
  readonly inputs: string;
  /** Registry, and folder in it, of the names in the recipe. */
  readonly registry: string;
  /** Absent: nothing is signed. */
  readonly signer: Signer | undefined;
  /** Fingerprint of the key with which gpg signs the package repositories; absent: they are not signed. */
  readonly gpgKey: string | undefined;
  readonly makePrograms: MakePrograms;
  /** Called before each step with its name. */
  readonly onStep: (step: string) => void;
}

/**
 * Makes all files of a release. All times are that of the commit, and nothing comes from the machine. So the same commit
 * gives the same files; only signatures with ECDSA differ.
 *
 * @param out an empty folder
 * @param work an empty folder on the same volume
 * @throws RefusedError for an input that is missing or is not the pinned one
 */
export async function makeRelease(input: ReleaseInput, out: string, work: string): Promise<void> {
  const { source, platforms, inputs, registry, signer, gpgKey, makePrograms, onStep } = input;
  const { root, version, date } = source;
  const put = (name: string, bytes: Buffer | string): string => putFile(out, name, bytes);

  onStep('program');
  const { files: programs, metafiles, parts } = await makePrograms({ source, platforms, out, work });

  onStep('bill of materials');
  const bill = toBill(source, listBundled(metafiles), embedded, platforms, parts);
  const billPath = put('svc.cdx.json', bill);

  onStep('packages');
  const license = readFileSync(join(root, 'LICENSE'));
  const debs: string[] = [];
  const rpms: string[] = [];
  for (const platform of platforms) {
    const program: PackageFile = {
      path: 'usr/bin/svc',
      mode: 0o755,
      bytes: readFileSync(programs[platform]!),
    };
    const debFiles = listPackageFiles(root, { zsh: 'usr/share/zsh/vendor-completions' }, bill);
    const debName = `svc_${toPackageVersion(version)}_${architectures[platform].deb}.deb`;
    debs.push(put(debName, toDeb([program, ...debFiles], platform, source, license)));
    const rpmFiles = listPackageFiles(root, { zsh: 'usr/share/zsh/site-functions' }, bill);
    const license_: PackageFile = { path: 'usr/share/licenses/svc/LICENSE', mode: 0o644, bytes: license };
    const rpmWork = join(work, `rpm-${platform}`);
    mkdirSync(rpmWork);
    const rpm = makeRpm([program, license_, ...rpmFiles], platform, source, rpmWork);
    rpms.push(put(rpmFileName(version, platform), rpm));
  }

  onStep('image and chart');
  const image = await makeImage({ source, name: `${registry}/svc:${version}`, programs, inputs, work });
  const pinned = { repository: `${registry}/svc`, digest: image.root.digest };
  const chartBytes = packChart(source, pinned);
  put(`svc-${version}.tgz`, chartBytes);
  const chart = toChartArtifact(`${registry}/charts/svc:${version}`, chartBytes, source, pinned);

  onStep('package repositories');
  const folders = { apt: join(work, 'svc-apt'), rpm: join(work, 'svc-rpm'), files: join(work, 'svc-files') };
  linkFiles(debs, folders.apt);
  indexDebs(folders.apt, source, join(work, 'control'), gpgKey);
  linkFiles(rpms, folders.rpm);
  indexRpms(folders.rpm, source, gpgKey);
  linkFiles([...Object.values(programs), billPath], folders.files);
  // readers in a zone verify one of these files by the same command. The first line sets this list apart from the list of
  // the release, which names the packages too
  certify(folders.files, input, `# svc-files ${version}: the single files, as a zone serves them\n`);

  onStep('recipe and layout');
  const filesets: ReleasedIngredient[] = [];
  for (const [kind, folder] of Object.entries(folders)) {
    const name = `svc-${kind}`;
    const artifact = await packFileset(`${registry}/${name}:${version}`, folder, join(work, `${name}.tar`));
    filesets.push({ name, kind: 'FileSet', artifact });
  }
  const document = toReleaseRecipe(source, [
    { name: 'image', kind: 'ContainerImage', artifact: image },
    { name: 'chart', kind: 'HelmChart', artifact: chart },
    ...filesets,
  ]);
  put(`svc-${version}.recipe.yaml`, document);
  const recipe = toRecipeContent(`${registry}/cookbook/svc:${version}`, document, date);
  const artifacts: Artifact[] = [image, chart, ...filesets.map(({ artifact }) => artifact), recipe];
  if (signer !== undefined) artifacts.push(signRecipe(signer, recipe, date));
  await writeLayout(join(out, 'oci'), artifacts);

  onStep('provenance and sums');
  certify(out, input);
  makeDurable(out);
}

/**
 * Adds the public key, the provenance and the sums of all files of a folder, with signatures where there is a signer.
 *
 * @param heading first line of the sums; `sha256sum` ignores lines that begin with `#`
 */
function certify(folder: string, { source, platforms, registry, signer }: ReleaseInput, heading = ''): void {
  const put = (name: string, bytes: Buffer | string): string => putFile(folder, name, bytes);
  if (signer !== undefined) put('svc.pub', signer.publicKey.export({ type: 'spki', format: 'pem' }));
  const subjects = hashAll(folder).map(([name, hex]) => ({ name, digest: `sha256:${hex}` as const }));
  const statement = toProvenance(source, subjects, platforms, registry);
  if (signer === undefined) put('provenance.json', statement);
  else put('provenance.sigstore.json', signStatement(signer, statement));
  const lines = hashAll(folder).map(([name, hex]) => `${hex}  ${name}\n`);
  const sums = Buffer.from([heading, ...lines].join(''));
  put('SHA256SUMS', sums);
  if (signer !== undefined) {
    put('SHA256SUMS.sig', signer.sign(sums));
    put('SHA256SUMS.sigstore.json', approve(signer, sums));
  }
}

function putFile(folder: string, name: string, bytes: Buffer | string): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  chmodSync(path, 0o644);
  return path;
}

function makeDurable(folder: string): void {
  for (const path of ['.', ...globSync('**/*', { cwd: folder })]) {
    const file = openSync(join(folder, path), 'r');
    fsyncSync(file);
    closeSync(file);
  }
}
