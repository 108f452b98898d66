import { FileButton } from '@mantine/core';
import { type ReactNode, useRef } from 'react';

interface FilePickerProps {
  onPick(file: File): void;
  /** The button that opens the browser's choice of files. */
  children(props: { onClick(): void }): ReactNode;
}

/** Asks for a file. The same one can be picked again, as after a failure: the browser reports none that is chosen already. */
export function FilePicker({ onPick, children }: FilePickerProps) {
  const reset = useRef<() => void>(null);
  const pick = (file: File | null) => {
    if (file === null) return;
    reset.current?.();
    onPick(file);
  };
  return (
    <FileButton resetRef={reset} onChange={pick}>
      {children}
    </FileButton>
  );
}
