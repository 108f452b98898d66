import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { askText } from '../api/gateway.ts';
import { notifyFailure } from './notices.tsx';

interface CsvButtonProps {
  /** The path of the API, which answers the same as a table. */
  path: string;
  query: Readonly<Record<string, string>>;
  /** The name of the file, without its extension. */
  name: string;
}

const CSV = 'text/csv';

/** Saves what an operation answers as CSV. */
export function CsvButton({ path, query, name }: CsvButtonProps) {
  const download = useMutation({
    mutationFn: () => askText(path, { accept: CSV, query }),
    onSuccess: (text) => save(text, `${name}.csv`),
    onError: notifyFailure,
  });
  return (
    <Button
      variant="default"
      leftSection={<Download size={14} />}
      loading={download.isPending}
      onClick={() => download.mutate()}
    >
      CSV
    </Button>
  );
}

function save(text: string, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: CSV }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
