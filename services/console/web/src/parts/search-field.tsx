import { TextInput } from '@mantine/core';
import { Search } from 'lucide-react';
import type { FormEvent } from 'react';

interface SearchFieldProps {
  /** Says what can be typed. */
  label: string;
  className?: string | undefined;
  /** Something was typed and entered; the field is empty again. */
  onSearch(text: string): void;
}

/** A field that searches when it is entered, whatever it takes. */
export function SearchField({ label, className, onSearch }: SearchFieldProps) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const typed = String(new FormData(form).get('search')).trim();
    if (typed === '') return;
    form.reset();
    onSearch(typed);
  };
  return (
    <search className={className}>
      <form onSubmit={submit}>
        <TextInput
          name="search"
          type="search"
          aria-label={label}
          placeholder={label}
          leftSection={<Search size={14} />}
        />
      </form>
    </search>
  );
}
