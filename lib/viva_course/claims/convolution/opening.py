"""What the opening states."""

from viva_course.claiming import literature


@literature("LeCun et al. (1989), Neural Computation 1", place="section 2.1")
def zip_codes():
    """7,291 handwritten digits to train on, 2,007 to test."""


@literature("Krizhevsky, Sutskever and Hinton (2012)", place="abstract")
def imagenet_2012():
    """A top-5 error of 15.3%, and 26.2% for the second best entry."""


@literature("Krizhevsky, Sutskever and Hinton (2012)", place="section 4.2")
def half_the_activations():
    """The output of each hidden neuron of the first two fully connected layers is set to zero
    with probability 0.5."""


@literature("Ioffe and Szegedy (2015), arXiv:1502.03167", place="abstract",
            quotes="with 14 times fewer training steps")
def fourteen_times():
    """The accuracy of the best image classifier of its time, in so many fewer steps."""


@literature("Ioffe and Szegedy (2015), arXiv:1502.03167", place="abstract",
            quotes="internal covariate shift")
def covariate_shift():
    """The name that the paper gives to the change of each layer's inputs during training."""


@literature("Santurkar et al. (2018), arXiv:1805.11604", place="section 2.1, figure 2")
def shift_put_back():
    """Noise with changing mean and variance after batch norm: still faster than without it, and
    about as fast as batch norm alone."""


@literature("Srivastava et al. (2014), JMLR 15", place="abstract")
def exponentially_many():
    """Dropout samples from an exponential number of thinned networks."""


@literature("Wager, Wang and Liang (2013), arXiv:1307.1493", place="section 2")
def adaptive_ridge():
    """For linear regression, dropout is a ridge penalty on normalised columns."""
