import { freshQuery, readQuery, useCall, useSave } from '../../platform/read-query.ts';

const dealershipsKey = ['dealerships'] as const;

/** Every dealership that the user may see, with its contacts. */
export const dealershipsQuery = readQuery(dealershipsKey, 'GET /dealerships');

/** Key prefix of everything on a dealership's page: changes of dealerships reload all of it. */
const pageKey = [...dealershipsKey, 'page'] as const;
export const dealershipQuery = (id: string) =>
  freshQuery([...pageKey, id], 'GET /dealerships/:id', { params: { id } });

export const timelineKey = [...pageKey, 'timeline'] as const;

/** Changes of a dealership and the emails to its contacts, newest first. */
export const timelineQuery = (id: string) =>
  freshQuery([...timelineKey, id], 'GET /dealerships/:id/timeline', { params: { id } });

export const figuresKey = ['dealership-figures'] as const;

/** Count and sums of a dealership's rows in a month. */
export const figuresQuery = (dealershipId: string, month: string) =>
  readQuery([...figuresKey, dealershipId, month], 'GET /deals/summary', { query: { dealershipId, month } });

export const useSaveDealership = () => useSave(dealershipsKey, 'POST /dealerships', 'PUT /dealerships/:id');

export const useDeleteDealership = () => useCall(dealershipsKey, 'DELETE /dealerships/:id');

/** Adds all dealerships or none. */
export const useImportDealerships = () => useCall(dealershipsKey, 'POST /dealerships/import');

export const useShareDealership = () => useCall(dealershipsKey, 'PUT /dealerships/:id/sharing');

/** Adds shares to all dealerships or none. */
export const useShareDealerships = () => useCall(dealershipsKey, 'POST /dealerships/bulk-share');

/** Transfers all dealerships or none. */
export const useTransferDealerships = () => useCall(dealershipsKey, 'POST /dealerships/transfer-ownership');

/** Changes all dealerships or none. */
export const useSetActive = () => useCall(dealershipsKey, 'POST /dealerships/bulk/active');
