import { FAULTS, type ScenarioName, scenarioNames } from '../faults/table';
import type { Vendor } from '../vendor';
import type { Wire } from '../vendor-call/contract';

/** A fault as tests see it: where it strikes, the kind of its argument, and why a vendor cannot have it. */
interface ListedFault {
  strikes: string;
  argument: string;
  cannot: Record<string, string>;
}

/** `/__sim/faults`: what can be asked for, of whom. */
export function listFaults(vendors: readonly Vendor[]): Record<string, ListedFault> {
  return Object.fromEntries(scenarioNames.map((name) => [name, listed(name, vendors)]));
}

function listed(name: ScenarioName, vendors: readonly Vendor[]): ListedFault {
  const reasons = vendors.flatMap(({ wire }) => {
    const why = whyNot(name, wire);
    return why === undefined ? [] : [[wire.name, why]];
  });
  return { ...FAULTS[name], cannot: Object.fromEntries(reasons) };
}

function whyNot(name: ScenarioName, { words, cannot = {} }: Wire): string | undefined {
  if (cannot[name] !== undefined) return cannot[name];
  const word = wordNamed(name, words);
  return typeof word === 'string' ? word : undefined;
}

function wordNamed(name: ScenarioName, words: Wire['words']) {
  const plain = name.replace(/^check-/, '');
  if (plain === 'throttle-rate') return words['rate-limit'];
  if (plain === 'throttle-concurrency') return words.concurrency;
  return Object.hasOwn(words, plain) ? words[plain as keyof Wire['words']] : undefined;
}
