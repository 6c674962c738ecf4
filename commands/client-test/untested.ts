import type { ClientKind } from '../../src/client/model.ts';
import { fr, type Sentence } from '../../src/text/language.ts';
import { type TestedClient, testedClients } from './model.ts';

/** Why no program of this machine can test the files of a client, and the way to test them. */
const reasons: Readonly<Record<Exclude<ClientKind, TestedClient>, Sentence>> = {
  k3s: [
    'K3s translates registries.yaml when it starts, for a containerd of its own that rewrites names: pull a reference on a node, k3s crictl pull. svc client test containerd tests that the registry serves the names',
    fr`K3s traduit registries.yaml au démarrage, pour un containerd à lui qui réécrit les noms : récupérez une référence sur un nœud, k3s crictl pull. svc client test containerd contrôle que le registre sert les noms`,
  ],
  rke2: [
    'RKE2 translates registries.yaml when it starts, for a containerd of its own that rewrites names: pull a reference on a node, with the crictl in /var/lib/rancher/rke2/bin. svc client test containerd tests that the registry serves the names',
    fr`RKE2 traduit registries.yaml au démarrage, pour un containerd à lui qui réécrit les noms : récupérez une référence sur un nœud, avec le crictl de /var/lib/rancher/rke2/bin. svc client test containerd contrôle que le registre sert les noms`,
  ],
  docker: [
    'the daemon of Docker pulls, and a test cannot keep it from other hosts: run the script of svc client config docker on a node, which ends with a failure when an image is missing',
    fr`c’est le démon de Docker qui récupère, et un essai ne peut pas l’écarter d’autres hôtes : lancez sur un nœud le script de svc client config docker, qui se termine par un échec s’il manque une image`,
  ],
  openshift: [
    'the nodes of a cluster read image-mirrors.yaml: apply it and pull a reference on a node, oc debug node/NAME. svc client test crio tests what CRI-O reads where no cluster writes it',
    fr`ce sont les nœuds d’une grappe qui lisent image-mirrors.yaml : appliquez-le et récupérez une référence sur un nœud, oc debug node/NOM. svc client test crio contrôle ce que CRI-O lit là où aucune grappe ne l’écrit`,
  ],
};

export const isTested = (client: ClientKind): client is TestedClient => Object.hasOwn(testedClients, client);

/** Why the files of a client cannot be tested here. */
export function whyUntested(client: Exclude<ClientKind, TestedClient>): Sentence {
  return reasons[client];
}
