export { acceptedText, invitationText } from './core/invitation-text.js';
export { GUEST_KEEPERS, type GuestKeeper, GuestRounds } from './guest-rounds.js';
export {
  type Invitation,
  InvitationBudget,
  type RoomCheck,
  type TakenInvitation,
} from './invitation-budget.js';
export { InvitationCodes, SHARE_CODES_KEY } from './invitation-codes.js';
export { OwnShares, type OwnShare } from './own-shares.js';
export { type ShareRecord, ShareRecords } from './share-records.js';
export { SharesInErasure } from './shares-in-erasure.js';
export { ShareTexts } from './share-texts.js';
export { SharingErasure } from './sharing-erasure.js';
export { SharingModule } from './sharing.module.js';
