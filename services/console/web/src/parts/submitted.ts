import type { FormEvent } from 'react';

/** Hands over the fields of a form where the browser would leave the page for what they are sent to. */
export function submitted(take: (fields: FormData) => void): (event: FormEvent<HTMLFormElement>) => void {
  return (event) => {
    event.preventDefault();
    take(new FormData(event.currentTarget));
  };
}
