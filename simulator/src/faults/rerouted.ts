import type { Faults } from './chooser';

/** Whom an answer names that was asked for that model: a vendor that ends one may have another answer in its place. */
export function answeredBy(model: string, faults: Pick<Faults, 'take'>): string {
  const rerouted = faults.take('rerouted');
  if (!rerouted) return model;
  return rerouted.value === '' ? `${model}-successor` : rerouted.value;
}
