import { constants } from 'node:fs';
import { fr } from '../text/language.ts';
import { type Rule, rule } from '../text/rule.ts';

/** Replacement character, for bytes in a name that are not UTF-8. */
const replacement = '\ufffd';

function checkText(text: string): Rule | undefined {
  if (text.includes(replacement)) return rule(['is not UTF-8', fr`n’est pas en UTF-8`]);
  if (text.includes('\\'))
    return rule([
      'has a backslash, which separates folders on some systems',
      fr`contient une barre oblique inverse, qui sépare les dossiers sur certains systèmes`,
    ]);
  if (/^[A-Za-z]:/.test(text))
    return rule(['begins with a drive letter', fr`commence par une lettre de lecteur`]);
  return undefined;
}

/** Returns the rule that the name of an entry breaks. */
export function checkName(name: string): Rule | undefined {
  // OCI image specification, Image Layer Filesystem Changeset, Whiteouts
  if (name.startsWith('.wh.'))
    return rule([
      'a name that begins with .wh. marks a deletion in a layer',
      fr`un nom qui commence par .wh. marque une suppression dans une couche`,
    ]);
  const broken = checkText(name);
  return broken && rule(['its name {broken}', fr`son nom {broken}`], { broken });
}

/**
 * Returns the rule that the target of a link breaks. `..` is allowed only at the beginning: after a name, which could be
 * another link, it could lead outside.
 *
 * @param depth number of folders between the root and the link
 */
export function checkTarget(target: string, depth: number): Rule | undefined {
  const broken = checkText(target);
  if (broken !== undefined)
    return rule(['the target of the link {broken}', fr`la cible du lien {broken}`], { broken });
  if (target.startsWith('/'))
    return rule(
      [
        'the target of the link is outside the folder: {target}',
        fr`la cible du lien est hors du dossier : {target}`,
      ],
      { target },
    );
  const parts = target.split('/').filter((part) => part !== '' && part !== '.');
  const down = parts.findIndex((part) => part !== '..');
  const ups = down < 0 ? parts.length : down;
  if (ups > depth)
    return rule(
      [
        'the target of the link is outside the folder: {target}',
        fr`la cible du lien est hors du dossier : {target}`,
      ],
      { target },
    );
  if (parts.indexOf('..', ups) >= 0)
    return rule(
      [
        'the target of the link has .. after a name: {target}',
        fr`la cible du lien contient .. après un nom : {target}`,
      ],
      { target },
    );
  return undefined;
}

/** Returns the rule that the type and permissions of an entry break. @param mode as returned by `lstat` */
export function checkMode(mode: number): Rule | undefined {
  const type = mode & constants.S_IFMT;
  const special = specialTypes.get(type);
  if (special !== undefined) return special;
  if (mode & 0o4000) return rule(['it is setuid', fr`il est setuid`]);
  // on a folder, setgid only sets the group of new files, and is not kept
  if (mode & 0o2000 && type !== constants.S_IFDIR) return rule(['it is setgid', fr`il est setgid`]);
  return undefined;
}

const specialTypes: ReadonlyMap<number, Rule> = new Map([
  [constants.S_IFIFO, rule(['it is a named pipe', fr`c’est un tube nommé`])],
  [constants.S_IFCHR, rule(['it is a character device', fr`c’est un périphérique caractère`])],
  [constants.S_IFBLK, rule(['it is a block device', fr`c’est un périphérique bloc`])],
  [constants.S_IFSOCK, rule(['it is a socket', fr`c’est un socket`])],
]);
