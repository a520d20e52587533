import { Button, Loader } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import ChartColumn from 'lucide-react/icons/chart-column';
import type { ReactNode } from 'react';
import { paths } from '../../platform/paths.ts';
import { refreshPermissions, usePermissions, usePermissionFailure } from '../../platform/permissions.ts';
import { texts } from '../../texts/reports.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { LoadFailed } from '../../ui/LoadFailed.tsx';
import { Page, PageHeader } from '../../ui/PageHeader.tsx';

type ReportReadersProps = { title: string; children: ReactNode };

/**
 * A screen of reports. Without its permissions, shows which are missing and who can grant them
 * (docs/product/exports-and-reports.md, Reports).
 */
export function ReportReaders({ title, children }: ReportReadersProps): ReactNode {
  const permissions = usePermissions();
  const failure = usePermissionFailure();
  const lacking = [
    ...(permissions.page('dataEntry') ? [] : [texts.dataEntryPage]),
    ...(permissions.feature('viewReports') ? [] : [texts.viewReports]),
  ];
  if (permissions.isLoaded && lacking.length === 0) return children;
  return (
    <Page>
      <PageHeader title={title} />
      {permissions.isLoaded && (
        <EmptyState
          icon={<ChartColumn />}
          title={texts.noAccess(lacking)}
          action={
            <Button variant="default" component={Link} to={paths.statements}>
              {texts.ownStatements}
            </Button>
          }
        >
          {texts.noAccessNext}
        </EmptyState>
      )}
      {!permissions.isLoaded && failure && (
        <LoadFailed error={failure} message={texts.loadFailed} retry={() => void refreshPermissions()} />
      )}
      {!permissions.isLoaded && !failure && <Loader size={16} role="status" aria-label={texts.loading} />}
    </Page>
  );
}
