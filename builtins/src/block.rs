//! Waiting for a future on this thread, without a runtime.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::Thread;
use std::time::Duration;

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// Runs a future to its end, looking every few milliseconds whether `stop` says to give up: then `None`.
pub fn block_on<F: Future>(future: F, stop: &dyn Fn() -> bool) -> Option<F::Output> {
    let mut future = pin!(future);
    let waker = Waker::from(Arc::new(Unpark(std::thread::current())));
    let mut cx = Context::from_waker(&waker);
    loop {
        if let Poll::Ready(v) = future.as_mut().poll(&mut cx) {
            return Some(v);
        }
        if stop() {
            return None;
        }
        std::thread::park_timeout(Duration::from_millis(20));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_future_woken_from_another_thread() {
        let mut polls = 0;
        let f = std::future::poll_fn(move |cx| {
            polls += 1;
            if polls > 1 {
                return Poll::Ready(polls);
            }
            let w = cx.waker().clone();
            std::thread::spawn(move || w.wake());
            Poll::Pending
        });
        assert_eq!(block_on(f, &|| false), Some(2));
        assert_eq!(block_on(std::future::pending::<()>(), &|| true), None);
    }
}
