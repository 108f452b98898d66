/**
 * Makes what the cases of a table need one case ahead: starting a process takes longer than most of what is done with it.
 * Cases that are left out are made when they are asked for.
 */
export function inAdvance<Case, T>(cases: readonly Case[], make: (one: Case) => Promise<T>): (one: Case) => Promise<T> {
  const made = new Map<Case, Promise<T>>();

  function of(one: Case): Promise<T> {
    const existing = made.get(one) ?? make(one);
    made.set(one, existing);
    return existing;
  }

  return async (one) => {
    const mine = await of(one);
    const following = cases[cases.indexOf(one) + 1];
    if (following !== undefined) void of(following);
    return mine;
  };
}
