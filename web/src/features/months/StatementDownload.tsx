import type { ClosedStatement, StatementFormat } from '@forecourt/contract/statements';
import { Button } from '@mantine/core';
import Download from 'lucide-react/icons/download';
import type { ReactNode } from 'react';
import { call } from '../../platform/api.ts';
import { startDownload } from '../../platform/files.ts';
import { viewing } from '../../platform/view-as.ts';
import { texts } from '../../texts/statements.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { ButtonMenu, MenuAction } from '../../ui/ButtonMenu.tsx';
import { toastFailed } from '../../ui/toasts.ts';
import { useOpener } from '../../ui/use-opener.ts';

const FORMATS: readonly StatementFormat[] = ['pdf', 'csv', 'xlsx'];

/** The menu that downloads a statement as a file. */
export function StatementDownload({ _id }: Pick<ClosedStatement, '_id'>): ReactNode {
  const menu = useOpener('menu');
  const download = async (format: StatementFormat): Promise<void> => {
    const { url } = await call('POST /statements/:id/download-ticket', {
      params: { id: _id },
      body: { format },
    });
    startDownload(url);
  };
  if (viewing !== null)
    return (
      <ActionButton variant="default" leftSection={<Download />} ability={texts.notWhileViewing}>
        {texts.download}
      </ActionButton>
    );
  return (
    <>
      <Button {...menu.button} variant="default" leftSection={<Download />}>
        {texts.download}
      </Button>
      {menu.part && (
        <ButtonMenu part={menu.part} position="bottom-end">
          {FORMATS.map((format) => (
            <MenuAction
              key={format}
              onRun={() =>
                void download(format).catch((thrown: unknown) => toastFailed(thrown, texts.downloadFailed))
              }
            >
              {texts.formats[format]}
            </MenuAction>
          ))}
        </ButtonMenu>
      )}
    </>
  );
}
