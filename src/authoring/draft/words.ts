import { fr, type Sentence } from '../../text/language.ts';
import type { Doubt, OmissionReason, SourceFormat } from '../foreign/model.ts';

/** Names of the forms, after "read as". */
export const formatNames: Readonly<Record<SourceFormat, Sentence>> = {
  images: ['a list of images', fr`liste d’images`],
  chart: ['a Helm chart', fr`chart Helm`],
  manifests: ['Kubernetes manifests', fr`manifestes Kubernetes`],
  compose: ['a compose file', fr`fichier compose`],
  repository: ['a repository of a registry', fr`dépôt d’un registre`],
  fileset: ['a folder of files', fr`dossier de fichiers`],
  hauler: ['a hauler manifest', fr`manifeste hauler`],
  zarf: ['a zarf package', fr`paquet zarf`],
  'oc-mirror': ['an image set of oc-mirror', fr`jeu d’images oc-mirror`],
  imgpkg: ['an images lock of imgpkg', fr`verrou d’images imgpkg`],
};

/** Why an ingredient is proposed in a comment only. */
export const doubtWords: Readonly<Record<Doubt, Sentence>> = {
  'annotation-only': [
    'named by the annotation of the chart, and in no rendered template',
    fr`nommée par l’annotation du chart, et dans aucun modèle rendu`,
  ],
  'values-only': [
    'named by values, and in no rendered template',
    fr`nommée par des valeurs, et dans aucun modèle rendu`,
  ],
  disabled: [
    'the values switch off the part that uses it',
    fr`les valeurs désactivent la partie qui l’utilise`,
  ],
  'name-in-parts': [
    'values beside it may be a part of its name: compare it with the templates, or use --render',
    fr`des valeurs voisines font peut-être partie de son nom : comparez-la aux modèles, ou utilisez --render`,
  ],
  'custom-resource': [
    'named by an object that is no container',
    fr`nommée par un objet qui n’est pas un conteneur`,
  ],
  argument: ['found in an argument or a variable', fr`trouvée dans un argument ou une variable`],
  'template-text': ['found in the text of a template', fr`trouvée dans le texte d’un modèle`],
  'no-tag': ['the values name no tag: add one', fr`les valeurs ne nomment pas d’étiquette : ajoutez-en une`],
};

/** Why a part of a source is left out, and how to include it. */
export const omissionWords: Readonly<Record<OmissionReason, Sentence>> = {
  'build-only': [
    'the service is built and names no image: push the image, and name it',
    fr`le service est construit et ne nomme pas d’image : poussez l’image et nommez-la`,
  ],
  'other-file': [
    'it is in another file: add it with --from',
    fr`dans un autre fichier : ajoutez-le avec --from`,
  ],
  'chart-on-disk': [
    'a recipe names charts of registries: --push-charts pushes a chart given with --from',
    fr`une recette nomme des charts de registres : --push-charts pousse un chart donné avec --from`,
  ],
  'classic-chart': [
    'a recipe names charts of registries: --push-charts pushes it to one',
    fr`une recette nomme des charts de registres : --push-charts l’y pousse`,
  ],
  'chart-images': [
    'only the images of this chart: its definition does not ask for them; give the chart with --from to read them',
    fr`seulement les images de ce chart : sa définition ne les demande pas ; donnez le chart avec --from pour les lire`,
  ],
  'not-embedded': [
    'the chart does not embed this dependency (SVC-CHT-001), and its images are not in the draft: run helm dependency update and draft again',
    fr`le chart n’embarque pas cette dépendance (SVC-CHT-001), et ses images ne sont pas dans le brouillon : lancez helm dependency update et refaites le brouillon`,
  ],
  'too-deep': [
    'charts are read to 16 levels of embedding: --render finds the images of deeper ones',
    fr`les charts sont lus jusqu’à 16 niveaux d’imbrication : --render trouve les images des plus profonds`,
  ],
  template: ['it contains a variable of another program', fr`contient une variable d’un autre programme`],
  file: [
    'it is a file: svc fileset pack DIRECTORY NAME:VERSION --push REGISTRY/PATH:VERSION makes an ingredient of a folder',
    fr`c’est un fichier : svc fileset pack DOSSIER NOM:VERSION --push REGISTRE/CHEMIN:VERSION fait d’un dossier un ingrédient`,
  ],
  git: ['it is a Git repository', fr`c’est un dépôt Git`],
  action: ['commands are not run', fr`les commandes ne sont pas exécutées`],
  injection: ['data of a running cluster', fr`données d’un cluster en marche`],
  'manifest-files': [
    'images are read from the list of the component; to read manifests, give them with --from',
    fr`les images sont lues dans la liste du composant ; pour lire les manifestes, donnez-les avec --from`,
  ],
  'package-import': [
    'it is in another package: add its zarf.yaml with --from',
    fr`dans un autre paquet : ajoutez son zarf.yaml avec --from`,
  ],
  'image-archive': [
    'an archive of images: svc import LAYOUT reads an OCI layout',
    fr`une archive d’images : svc import DISPOSITION lit une disposition OCI`,
  ],
  'release-payload': ['a release payload of OpenShift', fr`une version d’OpenShift`],
  'blocked-image': ['mirror.blockedImages blocks it', fr`mirror.blockedImages la bloque`],
  'blocked-elsewhere': [
    'mirror.blockedImages blocks it, and it is none of the images listed here: take it out of the draft where a chart names it',
    fr`mirror.blockedImages la bloque, et elle n’est pas parmi les images listées ici : retirez-la du brouillon si un chart la nomme`,
  ],
  'operator-catalogue': ['a catalogue of operators', fr`un catalogue d’opérateurs`],
  'image-list-by-url': [
    'a list of images elsewhere: save it and give it with --from',
    fr`une liste d’images ailleurs : enregistrez-la et donnez-la avec --from`,
  ],
  rewritten: [
    'a recipe keeps the names of its images and charts: only the other name is left out',
    fr`une recette garde les noms de ses images et de ses charts : seul l’autre nom est laissé`,
  ],
  'own-key': [
    'the signature is not checked with this key here: svc checks signatures under trust.roots',
    fr`la signature n’est pas vérifiée ici avec cette clé : svc vérifie les signatures selon trust.roots`,
  ],
  arguments: [
    'texts in arguments that look like images: --find-more proposes them',
    fr`textes d’arguments qui ressemblent à des images : --find-more les propose`,
  ],
  'not-rendered': [
    'images that only templates name are not found: --render runs helm template',
    fr`les images nommées par les seuls modèles ne sont pas trouvées : --render lance helm template`,
  ],
  'beside-chart': [
    'the folder is read as a chart: name the file with --from to take it too',
    fr`le dossier est lu comme un chart : nommez le fichier avec --from pour le prendre aussi`,
  ],
  'beside-definition': [
    'the folder is read as the definition of a package: name the file with --from to take it too',
    fr`le dossier est lu comme la définition d’un paquet : nommez le fichier avec --from pour le prendre aussi`,
  ],
  'not-named-so': [
    'its content looks like a source, its name or place does not: name it with --from to take it',
    fr`son contenu ressemble à une source, pas son nom ou son emplacement : nommez-le avec --from pour le prendre`,
  ],
  'no-known-form': ['it has no form that svc knows', fr`il n’a aucune forme connue de svc`],
  unreadable: ['it cannot be read', fr`illisible`],
  empty: ['it is empty', fr`vide`],
  'other-form': [
    'it has another form than the prefix of --from',
    fr`d’une autre forme que le préfixe de --from`,
  ],
  own: ['made by svc, no source', fr`fait par svc, n’est pas une source`],
  link: [
    'links are not followed: name one with --from to take its target',
    fr`les liens ne sont pas suivis : nommez-en un avec --from pour prendre ce à quoi il mène`,
  ],
  hidden: [
    'hidden files, hidden folders and node_modules are not looked at: name one with --from to take it',
    fr`les fichiers et dossiers cachés et node_modules ne sont pas examinés : nommez-en un avec --from pour le prendre`,
  ],
  'too-deep-folder': [
    'folders are read to 16 levels: name it with --from to take it',
    fr`les dossiers sont lus jusqu’à 16 niveaux : nommez-le avec --from pour le prendre`,
  ],
  'other-kind': ['no YAML, no JSON and no list of images', fr`ni YAML, ni JSON, ni liste d’images`],
  'no-image-name': ['it is not the name of an image', fr`ce n’est pas le nom d’une image`],
};
