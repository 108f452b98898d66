import { BlockList, isIPv6 } from 'node:net';
import type { Manifest } from './chart';

/** One end of a connection. What has a namespace is a pod; `ports` are its container's, by name. */
export interface Place {
  address: string;
  namespace?: string;
  labels?: Record<string, string>;
  ports?: Record<string, number>;
}

export interface Connection {
  from: Place;
  to: Place;
  port: number;
  protocol?: 'TCP' | 'UDP';
}

/**
 * How a network plugin takes `ipBlock` for the address of a pod: most as any address; Cilium knows pods by who they are, and never by
 * their addresses.
 */
export type Plugin = 'by address' | 'by identity';

interface Selector {
  matchLabels?: Record<string, string>;
  matchExpressions?: unknown;
}

interface Peer {
  podSelector?: Selector;
  namespaceSelector?: Selector;
  ipBlock?: { cidr: string; except?: string[] };
}

interface Rule {
  ports?: { port: number | string; protocol?: string }[];
  to?: Peer[];
  from?: Peer[];
}

/** Whether the policies of the namespace let a connection pass, where all that no policy allows is denied. */
export function passes(policies: readonly Manifest[], namespace: string, plugin: Plugin, connection: Connection) {
  const { from, to } = connection;
  const rulesOf = (pod: Place, direction: 'ingress' | 'egress'): Rule[] =>
    policies
      .filter(({ spec }) => fits(spec.podSelector, pod.labels))
      .flatMap(({ spec }): Rule[] => spec[direction] ?? []);
  const allows = (rule: Rule, peers: Peer[] | undefined, other: Place) =>
    onPort(rule, connection) && (peers === undefined || peers.some((peer) => isPeer(peer, other, namespace, plugin)));
  const leaves = from.namespace !== namespace || rulesOf(from, 'egress').some((rule) => allows(rule, rule.to, to));
  const enters = to.namespace !== namespace || rulesOf(to, 'ingress').some((rule) => allows(rule, rule.from, from));
  return leaves && enters;
}

function onPort({ ports }: Rule, { to, port, protocol = 'TCP' }: Connection): boolean {
  if (ports === undefined) return true;
  return ports.some((each) => {
    const number = typeof each.port === 'string' ? to.ports?.[each.port] : each.port;
    return number === port && (each.protocol ?? 'TCP') === protocol;
  });
}

function isPeer({ podSelector, namespaceSelector, ipBlock }: Peer, place: Place, own: string, plugin: Plugin): boolean {
  if (ipBlock !== undefined) {
    if (place.namespace !== undefined && plugin === 'by identity') return false;
    return isIn([ipBlock.cidr], place.address) && !isIn(ipBlock.except ?? [], place.address);
  }
  if (place.namespace === undefined) return false;
  const inNamespace =
    namespaceSelector === undefined
      ? place.namespace === own
      : fits(namespaceSelector, { 'kubernetes.io/metadata.name': place.namespace });
  return inNamespace && fits(podSelector ?? {}, place.labels);
}

function fits({ matchLabels = {}, matchExpressions }: Selector, labels: Record<string, string> = {}): boolean {
  if (matchExpressions !== undefined) throw new Error('matchExpressions are not read here');
  return Object.entries(matchLabels).every(([label, value]) => labels[label] === value);
}

/** By families apart: a BlockList has every address of IPv4 in `::/0`. */
function isIn(ranges: readonly string[], address: string): boolean {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', bits] = range.split('/');
    if (family(network) === family(address)) list.addSubnet(network, Number(bits), family(network));
  }
  return list.check(address, family(address));
}

function family(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4';
}
