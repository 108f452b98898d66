import { useCallback } from 'react';
import { useSearchParams } from 'react-router';

/** A part of a page whose choices stand in the address's query. */
export interface AddressProps {
  words: URLSearchParams;
  /** Changes parts of it: an empty text takes one away. */
  onChange(changes: Readonly<Record<string, string>>): void;
}

/** The address's query, and a function that changes parts of it: an empty text takes one away. Reload and back show the same. */
export function useAddress(): [URLSearchParams, (changes: Readonly<Record<string, string>>) => void] {
  const [words, setWords] = useSearchParams();
  const change = useCallback(
    (changes: Readonly<Record<string, string>>) =>
      setWords(
        (before) => {
          const next = new URLSearchParams(before);
          for (const [name, value] of Object.entries(changes)) {
            if (value === '') next.delete(name);
            else next.set(name, value);
          }
          return next;
        },
        { replace: true },
      ),
    [setWords],
  );
  return [words, change];
}
