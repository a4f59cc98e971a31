#include <array>
#include <string>
#include <vector>

#include "controller_interface/controller_interface.hpp"
#include "hardware_interface/types/hardware_interface_type_values.hpp"
#include "pluginlib/class_list_macros.hpp"

#include "arm.h"

namespace arm_control {

using CallbackReturn = controller_interface::CallbackReturn;
using controller_interface::InterfaceConfiguration;
using controller_interface::interface_configuration_type;

class ComputedTorque : public controller_interface::ControllerInterface {
public:
    CallbackReturn on_init() override
    {
        auto_declare<double>("payload", arm_default_parameters().payload);
        auto_declare<double>("kp", 100.0);
        auto_declare<double>("kd", 20.0);
        auto_declare<std::vector<double>>("goal", {0.0, 0.0});
        return CallbackReturn::SUCCESS;
    }

    InterfaceConfiguration command_interface_configuration() const override
    {
        return {interface_configuration_type::INDIVIDUAL, named({hardware_interface::HW_IF_EFFORT})};
    }

    // For each joint its position, then its velocity.
    InterfaceConfiguration state_interface_configuration() const override
    {
        return {
            interface_configuration_type::INDIVIDUAL,
            named({hardware_interface::HW_IF_POSITION, hardware_interface::HW_IF_VELOCITY})};
    }

    CallbackReturn on_configure(const rclcpp_lifecycle::State &) override
    {
        const auto node = get_node();
        const auto goal = node->get_parameter("goal").as_double_array();
        if (goal.size() != goal_.size()) {
            return CallbackReturn::ERROR;
        }
        std::copy(goal.begin(), goal.end(), goal_.begin());
        parameters_.payload = node->get_parameter("payload").as_double();
        kp_ = node->get_parameter("kp").as_double();
        kd_ = node->get_parameter("kd").as_double();
        return CallbackReturn::SUCCESS;
    }

    // Called at the rate of the controller manager; nothing here allocates or waits.
    controller_interface::return_type update(const rclcpp::Time &, const rclcpp::Duration &) override
    {
        std::array<double, ARM_Q_COUNT> q{}, u{}, a{}, tau{};
        for (std::size_t k = 0; k < q.size(); ++k) {
            q[k] = state_interfaces_[2*k].get_value();
            u[k] = state_interfaces_[2*k + 1].get_value();
            a[k] = kp_*(goal_[k] - q[k]) - kd_*u[k];
        }
        if (arm_inverse_dynamics(q.data(), u.data(), a.data(), &parameters_, tau.data()) != ARM_OK) {
            return controller_interface::return_type::ERROR;
        }
        for (std::size_t k = 0; k < tau.size(); ++k) {
            command_interfaces_[k].set_value(tau[k]);
        }
        return controller_interface::return_type::OK;
    }

private:
    static std::vector<std::string> named(const std::vector<std::string> &interfaces)
    {
        std::array<std::string, ARM_Q_COUNT> joints;
        joints[ARM_Q_SHOULDER] = "shoulder";
        joints[ARM_Q_ELBOW] = "elbow";
        std::vector<std::string> names;
        for (const auto &joint : joints) {
            for (const auto &interface : interfaces) {
                names.push_back(joint + "/" + interface);
            }
        }
        return names;
    }

    arm_parameters parameters_ = arm_default_parameters();
    std::array<double, ARM_Q_COUNT> goal_{};
    double kp_ = 0.0, kd_ = 0.0;
};

}  // namespace arm_control

PLUGINLIB_EXPORT_CLASS(arm_control::ComputedTorque, controller_interface::ControllerInterface)
