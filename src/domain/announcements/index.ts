export { AnnouncedChanges } from './announced-changes.js';
export { AnnouncedProjector } from './announced.projector.js';
export { ANNOUNCED_CAUSES, AnnouncementObserver } from './announcement-observer.js';
export { type LookedAtUnit, LookListener } from './look-listener.js';
export { AnnouncementsModule } from './announcements.module.js';
export { AnnouncerProgress } from './announcer-progress.js';
export { Announcer } from './announcer.js';
