import { useState } from 'react';

/** A value that this browser keeps for its reader: views, columns. Nothing secret. */
export function useStored<Value>(name: string, initial: Value): [Value, (value: Value) => void] {
  const key = `mediagate-${name}`;
  const [value, setValue] = useState(() => read(key, initial));
  const store = (next: Value) => {
    localStorage.setItem(key, JSON.stringify(next));
    setValue(next);
  };
  return [value, store];
}

function read<Value>(key: string, initial: Value): Value {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '') as Value;
  } catch {
    // The value is absent, or of an older form.
    return initial;
  }
}
