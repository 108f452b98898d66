/** Makes what all tests of a file, or of a `describe`, share: before the first of them. It is closed after the last, if it can be. */
export function forAllTests<Shared extends object>(make: () => Promise<Shared>): Shared {
  const shared = {} as Shared & { close?(): unknown; stop?(): unknown };
  beforeAll(async () => void Object.assign(shared, await make()));
  afterAll(async () => {
    await shared.close?.();
    await shared.stop?.();
  });
  return shared;
}

/** Makes what each test has for itself, before it. */
export function forEachTest<Own extends object>(make: () => Promise<Own>): Own {
  const own = {} as Own;
  beforeEach(async () => void Object.assign(own, await make()));
  return own;
}
