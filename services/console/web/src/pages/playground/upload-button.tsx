import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Upload } from 'lucide-react';
import { uploadFile } from '../../api/files.ts';
import { FilePicker } from '../../parts/file-picker.tsx';
import { notifyFailure } from '../../parts/notices.tsx';
import { say } from './texts.ts';

/** Sends a file and gives its id, which a field takes where it takes an address. */
export function UploadButton({ onDone }: { onDone(id: string): void }) {
  const upload = useMutation({
    mutationFn: uploadFile,
    onSuccess: ({ id }) => onDone(id),
    onError: notifyFailure,
  });
  return (
    <FilePicker onPick={upload.mutate}>
      {(props) => (
        <Button
          {...props}
          variant="subtle"
          size="compact-xs"
          mt={4}
          leftSection={<Upload size={12} />}
          loading={upload.isPending}
        >
          {say('upload')}
        </Button>
      )}
    </FilePicker>
  );
}
