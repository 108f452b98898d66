import { ObjectMissingError, type Storage } from './storage';

/**
 * A storage that has taken over from another: what it does not have yet is read from the one before, what is removed is removed from
 * both, and everything new is written to it alone. Callers are not led to its own addresses, because it may not have the file.
 */
export function behind(storage: Storage, before: Storage): Storage {
  const { linkForGet: _led, ...present } = storage;
  return {
    ...present,
    open: (key, range) =>
      storage.open(key, range).catch((error: unknown) => {
        if (error instanceof ObjectMissingError) return before.open(key, range);
        throw error;
      }),
    async remove(key) {
      // In this order: `copyFiles` writes from the one before.
      await before.remove(key);
      await storage.remove(key);
    },
  };
}
